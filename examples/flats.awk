# A table of flats and what they cost, made up: awk -f flats.awk > flats.csv
# The generator is Park and Miller's, so that every awk writes the same table.
function random() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
function normal() { return sqrt(-2 * log(random())) * cos(6.283185307 * random()) }
BEGIN {
  seed = 20260
  split("harbour,old town,west,station", district, ",")
  split("3.9,4.6,3.1,2.6", perMetre, ",")
  print "area,rooms,district,built,floor,balcony,price"
  for (row = 1; row <= 1500; ++row) {
    where = 1 + int(4 * random())
    area = int(35 + 110 * random() ^ 1.5)
    rooms = int(1 + area / 28 + random())
    year = int(1900 + 124 * random())
    level = int(7 * random())
    balcony = random() < 0.5 ? "yes" : "no"
    age = year < 1930 ? 1.1 : 1 + 0.3 * exp((year - 2024) / 18)
    price = area * perMetre[where] * age * (1 + 0.015 * level) + 18 * (balcony == "yes") + 9 * normal()
    printf "%d,%d,%s,%s,%d,%s,%.1f\n", area, rooms, district[where], random() < 0.04 ? "" : year, level, balcony, price
  }
}

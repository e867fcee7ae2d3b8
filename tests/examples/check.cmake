# Runs examples/price.cpp as its reader would: train.csv with a price, new.csv without, price.weft afterwards.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
execute_process(COMMAND ${WEFT} generate friedman1 --rows 2000 --out ${WORK}/train.csv COMMAND_ERROR_IS_FATAL ANY)
file(READ ${WORK}/train.csv table)
string(REPLACE "target" "price" table "${table}")
file(WRITE ${WORK}/train.csv "${table}")
file(WRITE ${WORK}/new.csv "x0,x1,x2,x3,x4,x5,x6,x7,x8,x9\n0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5\n")
execute_process(COMMAND ${EXAMPLE} WORKING_DIRECTORY ${WORK} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
# friedman1 at the centre of its cube: 10 sin(π/4) + 0 + 5 + 2.5 = 14.57.
if(NOT output MATCHES "^1 predictions, the first is 1[45]")
  message(FATAL_ERROR "the example says: ${output}")
endif()
execute_process(COMMAND ${WEFT} info ${WORK}/price.weft OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

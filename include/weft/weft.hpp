// Everything at once.
#pragma once

#include <weft/activation.hpp>
#include <weft/certify.hpp>
#include <weft/data.hpp>
#include <weft/describe.hpp>
#include <weft/encoder.hpp>
#include <weft/error.hpp>
#include <weft/explain.hpp>
#include <weft/family.hpp>
#include <weft/feature_map.hpp>
#include <weft/fields.hpp>
#include <weft/fit.hpp>
#include <weft/incremental.hpp>
#include <weft/inputs.hpp>
#include <weft/kernel.hpp>
#include <weft/learned_activation.hpp>
#include <weft/leverage.hpp>
#include <weft/load.hpp>
#include <weft/matrix.hpp>
#include <weft/model.hpp>
#include <weft/prune.hpp>
#include <weft/report.hpp>
#include <weft/run.hpp>
#include <weft/tune.hpp>
#include <weft/version.hpp>
#include <weft/write.hpp>

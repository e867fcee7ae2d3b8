# The papers' figures, papers/<id>/expected/*.csv, inside the library: reproduce compares with them wherever it runs.
file(GLOB expected_tables CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/papers/*/expected/*.csv)
weft_embed(weft expected_tables ${expected_tables})

// The source that an object library of precompiled headers has to have (daedalus_precompile).

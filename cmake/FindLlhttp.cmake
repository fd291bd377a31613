# llhttp: newer Debian has libllhttp-dev; Debian 12 ships the C sources in the package node-llhttp.
find_path(LLHTTP_INCLUDE_DIR llhttp.h PATH_SUFFIXES llhttp HINTS /usr/share/include)
find_library(LLHTTP_LIBRARY llhttp)
find_path(LLHTTP_SOURCE_DIR llhttp.c HINTS /usr/share/llhttp)

if(LLHTTP_INCLUDE_DIR AND LLHTTP_LIBRARY)
    add_library(lapbench_llhttp INTERFACE)
    target_link_libraries(lapbench_llhttp INTERFACE "${LLHTTP_LIBRARY}")
    target_include_directories(lapbench_llhttp SYSTEM INTERFACE "${LLHTTP_INCLUDE_DIR}")
elseif(LLHTTP_INCLUDE_DIR AND LLHTTP_SOURCE_DIR)
    add_library(lapbench_llhttp STATIC
        "${LLHTTP_SOURCE_DIR}/api.c" "${LLHTTP_SOURCE_DIR}/http.c" "${LLHTTP_SOURCE_DIR}/llhttp.c")
    set_target_properties(lapbench_llhttp PROPERTIES C_CLANG_TIDY "" POSITION_INDEPENDENT_CODE ON)
    target_include_directories(lapbench_llhttp SYSTEM PUBLIC "${LLHTTP_INCLUDE_DIR}")
    target_compile_options(lapbench_llhttp PRIVATE -w -O2)
    # As llhttp 9 always is: the loose mode takes any two bytes for the line end after a chunk.
    target_compile_definitions(lapbench_llhttp PUBLIC LLHTTP_STRICT_MODE=1)
else()
    message(FATAL_ERROR "llhttp not found: install libllhttp-dev, or on Debian 12 node-llhttp")
endif()

# Warnings and sanitizers, the same for every target of the project.
add_library(lapbench_options INTERFACE)
target_include_directories(lapbench_options INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_options(lapbench_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
    -Woverloaded-virtual -Wimplicit-fallthrough)
# At -O3 GCC 12 sees overlaps in std::string (its bug 105651) and uninitialised members that are not there.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(lapbench_options INTERFACE "$<$<CONFIG:Release>:-Wno-restrict;-Wno-maybe-uninitialized>")
endif()
if(LAPBENCH_WERROR)
    target_compile_options(lapbench_options INTERFACE -Werror)
endif()
if(LAPBENCH_SANITIZE)
    add_compile_options("-fsanitize=${LAPBENCH_SANITIZE}" -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options("-fsanitize=${LAPBENCH_SANITIZE}")
endif()

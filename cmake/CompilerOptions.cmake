# Warnings and sanitizers, the same for every target of the project.
add_library(lapbench_options INTERFACE)
target_include_directories(lapbench_options INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_options(lapbench_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
    -Woverloaded-virtual -Wimplicit-fallthrough)
if(LAPBENCH_WERROR)
    target_compile_options(lapbench_options INTERFACE -Werror)
endif()
if(LAPBENCH_SANITIZE)
    add_compile_options("-fsanitize=${LAPBENCH_SANITIZE}" -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options("-fsanitize=${LAPBENCH_SANITIZE}")
endif()

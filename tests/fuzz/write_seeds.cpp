// Writes the hand-made answers as the first inputs of fuzz_response_reader: write_seeds ANSWERS.txt FOLDER
#include "tests/fuzz/answers.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

int main(int argc, char** argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "Usage: write_seeds ANSWERS.txt FOLDER\n");
        return 2;
    }
    const std::filesystem::path folder = argv[2];
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    int number = 0;
    for (const lapbench::test::Answer& answer : lapbench::test::handMadeAnswers(argv[1])) {
        std::ofstream file(folder / std::to_string(number), std::ios::binary);
        file << (answer.toHead ? '\1' : '\0') << static_cast<char>(number) << answer.bytes;
        ++number;
        if (!file.flush()) {
            std::fprintf(stderr, "write_seeds: cannot write in %s\n", argv[2]);
            return 1;
        }
    }
    return 0;
}

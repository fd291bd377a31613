#include <cstdio>

int main()
{
    std::puts("lapbench-cli");
    return 0;
}

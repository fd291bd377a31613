"""What the benches say of the machine and the tools, and which cores they use."""
import datetime
import os
import platform
import re
import resource
import shutil
import subprocess


def raise_descriptor_limit():
    """The tools and servers that are started inherit it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def facts():
    model = "unknown processor"
    with open("/proc/cpuinfo") as file:
        found = re.search(r"^model name\s*:\s*(.+)$", file.read(), re.M)
        if found:
            model = found.group(1)
    system = "unknown system"
    if os.path.exists("/etc/os-release"):
        with open("/etc/os-release") as file:
            found = re.search(r'^PRETTY_NAME="?([^"\n]+)', file.read(), re.M)
            if found:
                system = found.group(1)
    return {"cpu": model, "processors": len(os.sched_getaffinity(0)), "kernel": platform.release(), "system": system,
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
            "load_average": round(os.getloadavg()[0], 2)}


def version(command, pattern):
    """The first group of `pattern` in what the command prints; None where there is no such program."""
    if not shutil.which(command[0]):
        return None
    output = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True).stdout
    found = re.search(pattern, output)
    return found.group(1) if found else "unknown"


def choose_cores(server, load):
    """A core for each of the two, or None where there are not two to choose from."""
    allowed = sorted(os.sched_getaffinity(0))
    if len(allowed) < 2 or not shutil.which("taskset"):
        return None, None
    server = allowed[0] if server is None else server
    load = next(core for core in allowed if core != server) if load is None else load
    return server, load


def pinned(core, command):
    return command if core is None else ["taskset", "-c", str(core)] + command


def cpu_seconds(root):
    """User and system time of a process and all below it, from /proc."""
    tick = os.sysconf("SC_CLK_TCK")
    parents, used = {}, {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(name)] = int(fields[1])
        used[int(name)] = (int(fields[11]) + int(fields[12])) / tick
    tree, grown = {root}, True
    while grown:
        more = {pid for pid, parent in parents.items() if parent in tree} - tree
        grown = bool(more)
        tree |= more
    return sum(used.get(pid, 0) for pid in tree)


def peak_rss_kb(pid):
    """The highest resident memory of a process so far; None once it has ended."""
    try:
        with open(f"/proc/{pid}/status") as file:
            found = re.search(r"^VmHWM:\s+(\d+) kB", file.read(), re.M)
    except OSError:
        return None
    return int(found.group(1)) if found else None

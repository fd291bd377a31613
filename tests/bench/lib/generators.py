"""The load generators that the benches compare: how each is asked for the same load, and what it reports of it."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from . import machine

AUTOCANNON_VERSION = "8.0.0"
# Everybody sends Host and this. What a tool adds besides cannot be taken away: ab "Connection" and "Accept" in HTTP/1.0,
# autocannon "Connection".
SAME_HEADER = ["-H", "User-Agent: bench"]


class Failed(Exception):
    """A run of a tool that gave no figures; the text says which and why."""


class Load:
    """What is asked of a generator: closed loop, one thread. With `http2`, `streams` requests on each connection."""

    def __init__(self, url, connections, seconds, streams=1, http2=False):
        self.url, self.connections, self.seconds, self.streams, self.http2 = url, connections, seconds, streams, http2
        self.tls = url.startswith("https:")


class Generator:
    """One tool. command() makes its command line, parse() reads requests, seconds and failed from what it printed."""

    speaks_http2 = False

    def __init__(self, name, program, version):
        self.name, self.program, self.version = name, program, version

    def command(self, load):
        raise NotImplementedError

    def parse(self, output, load):
        raise NotImplementedError


class Lapbench(Generator):
    def __init__(self, cli, transport):
        super().__init__("lapbench" if transport == "keep-alive" else "lapbench-curl", cli,
                         machine.version([cli, "--version"], r"lapbench-cli (\S+)"))
        self.transport = transport
        self.speaks_http2 = transport == "curl"

    def command(self, load):
        command = [self.program, "load", load.url, "-c", str(load.connections), "-t", "1", "-d", f"{load.seconds}s",
                   "--json", "-", "--quiet"] + SAME_HEADER
        if load.tls:
            command.append("--insecure")
        if load.http2:
            return command + ["--http", "2" if load.tls else "2-prior-knowledge", "--streams", str(load.streams)]
        return command + ["--transport", self.transport]

    def parse(self, output, load):
        trial = json.loads(output)
        spoke = trial.get("http_version", "nothing")
        if load.http2 != spoke.startswith("2"):
            raise Failed(f"{self.name} spoke HTTP {spoke}")
        requests = trial["requests"]
        # Connections that could not be opened are no requests, but they are failures.
        errors = sum(error["count"] for error in trial["errors"])
        return {"requests": requests["ok"], "seconds": trial["duration_s"], "failed": max(requests["failed"], errors),
                "opened": trial["connections"]["opened"], "open_s": trial["connections"].get("open_s")}


class Probe(Generator):
    """tests/bench/load_probe: the load core with nothing around it."""

    def __init__(self, program, transport):
        super().__init__("probe" if transport == "keep-alive" else "probe-curl", program, None)
        self.transport = transport

    def command(self, load):
        return [self.program, load.url, str(load.connections), "1", str(load.seconds), self.transport]

    def parse(self, output, load):
        figures = dict(re.findall(r"(\w+) (-?[\d.]+)", output.splitlines()[0]))
        return {"requests": int(figures["ok"]), "seconds": int(figures["ok"]) / float(figures["rps"]),
                "failed": int(figures["failed"])}


class Wrk(Generator):
    def __init__(self):
        super().__init__("wrk", "wrk", machine.version(["wrk", "--version"], r"wrk (?:debian/)?(\S+)"))

    def command(self, load):
        return [self.program, "-t1", f"-c{load.connections}", f"-d{load.seconds}s"] + SAME_HEADER + [load.url]

    def parse(self, output, load):
        requests = int(re.search(r"(\d+) requests in", output).group(1))
        rate = float(re.search(r"Requests/sec:\s+([\d.]+)", output).group(1))
        failed = sum(int(count) for count in re.findall(r"(?:connect|read|write) (\d+)", output))
        wrong = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
        failed += int(wrong.group(1)) if wrong else 0
        timed_out = re.search(r"timeout (\d+)", output)
        failed += int(timed_out.group(1)) if timed_out else 0
        return {"requests": requests, "seconds": requests / rate if rate else 0, "failed": failed}


class H2load(Generator):
    speaks_http2 = True

    def __init__(self):
        super().__init__("h2load", "h2load", machine.version(["h2load", "--version"], r"nghttp2/(\S+)"))

    def command(self, load):
        protocol = ["-m", str(load.streams)] if load.http2 else ["--h1", "-m", "1"]
        return [self.program, "-t1", f"-c{load.connections}", f"-D{load.seconds}s"] + protocol + SAME_HEADER + [load.url]

    def parse(self, output, load):
        done, failed = re.search(r"(\d+) succeeded, (\d+) failed", output).groups()
        rate = float(re.search(r"finished in \S+ ([\d.]+) req/s", output).group(1))
        return {"requests": int(done), "seconds": int(done) / rate if rate else 0, "failed": int(failed)}


class Ab(Generator):
    MOST_PER_SECOND = 300_000

    def __init__(self):
        super().__init__("ab", "ab", machine.version(["ab", "-V"], r"Version (\S+)"))

    def command(self, load):
        # -t sets -n to 50,000, so -n has to stand behind it; ab makes room for as many, hence no boundless number.
        return [self.program, "-k", "-q", "-d", "-S", "-t", str(load.seconds), "-n",
                str(self.MOST_PER_SECOND * load.seconds), "-c", str(load.connections)] + SAME_HEADER + [load.url]

    def parse(self, output, load):
        def number(label):
            found = re.search(label + r":\s+([\d.]+)", output)
            return float(found.group(1)) if found else 0
        wrong = int(number("Failed requests") + number("Non-2xx responses"))
        return {"requests": int(number("Complete requests")) - wrong, "seconds": number("Time taken for tests"),
                "failed": wrong}


class Autocannon(Generator):
    def __init__(self, script):
        package = os.path.join(os.path.dirname(script), "package.json")
        version = "unknown"
        if os.path.exists(package):
            with open(package) as file:
                version = json.load(file).get("version", version)
        node = machine.version(["node", "--version"], r"v(\S+)")
        super().__init__("autocannon", script, f"{version} on Node.js {node}")

    def command(self, load):
        return ["node", self.program, "-c", str(load.connections), "-d", str(load.seconds), "-p", "1", "--json",
                "--no-progress"] + SAME_HEADER + [load.url]

    def parse(self, output, load):
        result = json.loads(output[output.index("{"):])
        return {"requests": result["2xx"], "seconds": result["duration"],
                "failed": result["errors"] + result["non2xx"] + result["timeouts"]}


def find_autocannon(given):
    """Its script: the one given, or one that npm installs below LAPBENCH_HOME. A sentence where there is none."""
    if not shutil.which("node"):
        return None, "autocannon is left out: there is no node"
    if given:
        if os.path.exists(given):
            return os.path.realpath(given), None
        return None, f"autocannon is left out: {given} is not there"
    home = os.environ.get("LAPBENCH_HOME") or os.path.join(
        os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share"), "lapbench")
    folder = os.path.join(home, "bench", f"autocannon@{AUTOCANNON_VERSION}")
    script = os.path.join(folder, "node_modules", "autocannon", "autocannon.js")
    if not os.path.exists(script):
        if not shutil.which("npm"):
            return None, "autocannon is left out: there is no npm to install it with"
        os.makedirs(folder, exist_ok=True)
        done = subprocess.run(["npm", "install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund",
                               f"autocannon@{AUTOCANNON_VERSION}"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True)
        if done.returncode != 0 or not os.path.exists(script):
            reason = (done.stderr.strip().splitlines() or ["npm gave no reason"])[0]
            return None, f"autocannon is left out: npm could not install it ({reason})"
    return script, None


def available(options):
    """The generators that are there, in a fixed order, and a sentence for each that is not."""
    found, missing = [], []
    if options.cli:
        found += [Lapbench(options.cli, "keep-alive"), Lapbench(options.cli, "curl")]
    if options.probe:
        found += [Probe(options.probe, "keep-alive"), Probe(options.probe, "curl")]
    for make, program, package in ((Wrk, "wrk", "wrk"), (H2load, "h2load", "nghttp2-client"),
                                   (Ab, "ab", "apache2-utils")):
        if shutil.which(program):
            found.append(make())
        else:
            missing.append(f"{program} is left out: install the package {package}")
    if not options.only or "autocannon" in options.only:
        script, why = find_autocannon(options.autocannon)
        if script:
            found.append(Autocannon(script))
        else:
            missing.append(why)
    if options.only:
        unknown = set(options.only) - {generator.name for generator in found}
        if unknown:
            sys.exit(f"--only: not there: {', '.join(sorted(unknown))}; there are "
                     f"{', '.join(generator.name for generator in found)}")
        found = [generator for generator in found if generator.name in options.only]
        missing = []
    return found, missing


def run(generator, load, core, server):
    """One run, a second one where the first gives no figures (ab now and then gives up over one reset connection)."""
    try:
        return run_once(generator, load, core, server)
    except Failed as failed:
        print(f"once more: {failed}", file=sys.stderr)
        return run_once(generator, load, core, server)


def pause(process):
    """A moment; a bench that is ended meanwhile takes the tool with it."""
    try:
        time.sleep(0.02)
    except BaseException:
        process.kill()
        raise


def run_once(generator, load, core, server):
    """What the tool reports, its CPU (wait4) and peak memory, and the server's CPU meanwhile.

    The peak is the highest seen in /proc while the tool runs, looked at 50 times a second: that of wait4 begins with
    what this program itself had resident when it forked, and a tool may let its own peak begin anew."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors, tempfile.TemporaryDirectory() as home:
        server_before = server.cpu_seconds()
        begin = time.monotonic()
        process = subprocess.Popen(machine.pinned(core, generator.command(load)), stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=errors, env=dict(os.environ, LAPBENCH_HOME=home))
        peak, deadline, used, status = 0, begin + 3 * load.seconds + 60, None, 0
        while used is None:
            peak = max(peak, machine.peak_rss_kb(process.pid) or 0)
            pid, status, rusage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                used = rusage
            elif time.monotonic() > deadline:
                process.kill()
            else:
                pause(process)
        process.returncode = os.waitstatus_to_exitcode(status)
        server_used = server.cpu_seconds() - server_before
        output.seek(0)
        errors.seek(0)
        text, complaint = output.read().decode(errors="replace"), errors.read().decode(errors="replace").strip()
    try:
        figures = generator.parse(text, load)
    except (AttributeError, ValueError, KeyError, IndexError, ZeroDivisionError):
        figures = {"requests": 0, "seconds": 0}
    if not figures["requests"] or not figures["seconds"]:
        reason = (complaint or text.strip()).splitlines()[-1:] or ["it printed nothing"]
        raise Failed(f"{generator.name} gave no figures (exit code {process.returncode}): {reason[0]}")
    requests = figures["requests"]
    return {"rps": requests / figures["seconds"], "user_us": used.ru_utime / requests * 1e6,
            "system_us": used.ru_stime / requests * 1e6, "cpu_us": (used.ru_utime + used.ru_stime) / requests * 1e6,
            "peak_rss_mb": peak / 1000 * 1.024, "load_cores": (used.ru_utime + used.ru_stime) / figures["seconds"],
            "server_cores": server_used / figures["seconds"], **figures}

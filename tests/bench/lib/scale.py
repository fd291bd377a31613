"""Few and many connections on one thread: what is left of the throughput, and what a connection costs in memory."""
import statistics
import sys

from . import generators, report

FEW = 100


def measure(options, server, found):
    """Rounds of every generator at both numbers of connections, in rotated order."""
    levels = (FEW, options.many)
    runs = [(generator, connections) for connections in levels for generator in found]
    rounds = []
    for number in range(options.rounds):
        turn = number % len(runs)
        figures = {generator.name: {} for generator in found}
        for generator, connections in runs[turn:] + runs[:turn]:
            load = generators.Load(server.url, connections, options.seconds)
            figures[generator.name][str(connections)] = generators.run(generator, load, options.load_core, server)
        rounds.append(figures)
        print(f"round {number + 1} of {options.rounds} is done", file=sys.stderr)
    return {"server": server.name, "levels": levels, "rounds": rounds,
            "medians": {generator.name: summary(rounds, generator.name, levels) for generator in found}}


def summary(rounds, name, levels):
    few, many = (str(level) for level in levels)

    def median(value):
        values = [value(figures) for figures in rounds]
        return None if None in values else statistics.median(values)

    def to_wrk(figures, level):
        return figures[name][level]["rps"] / figures["wrk"][level]["rps"] if "wrk" in figures else None

    return {
        "rps_few": median(lambda f: f[name][few]["rps"]),
        "rps_many": median(lambda f: f[name][many]["rps"]),
        "kept": median(lambda f: f[name][many]["rps"] / f[name][few]["rps"]),
        "to_wrk_few": median(lambda f: to_wrk(f, few)),
        "to_wrk_many": median(lambda f: to_wrk(f, many)),
        "kb_a_connection": median(lambda f: (f[name][many]["peak_rss_mb"] - f[name][few]["peak_rss_mb"]) * 1000 /
                                  (levels[1] - levels[0])),
        # wrk opens its connections inside its window and does not say how long that took.
        "open_s": median(lambda f: f[name][many].get("open_s")),
        "failed_few": max(f[name][few]["failed"] for f in rounds),
        "failed_many": max(f[name][many]["failed"] for f in rounds),
        "server_cores_many": median(lambda f: f[name][many]["server_cores"]),
    }


def text(table, markdown):
    few, many = table["levels"]
    columns = (("rps_few", f"req/s at {few}", "{:.0f}"), ("to_wrk_few", "x wrk", "{:.3f}"),
               ("rps_many", f"req/s at {many}", "{:.0f}"), ("to_wrk_many", "x wrk", "{:.3f}"),
               ("kept", f"{many} / {few}", "{:.3f}"), ("kb_a_connection", "KB a connection", "{:.2f}"),
               ("open_s", f"{many} open after s", "{:.2f}"), ("server_cores_many", "server's core", "{:.0%}"),
               ("failed_few", f"failed at {few}", "{:.0f}"), ("failed_many", f"failed at {many}", "{:.0f}"))
    rows = [["against " + table["server"]] + [label for _, label, _ in columns]]
    for name, medians in table["medians"].items():
        rows.append([name] + ["-" if medians[key] is None else form.format(medians[key]) for key, _, form in columns])
    return report.aligned(rows, markdown)

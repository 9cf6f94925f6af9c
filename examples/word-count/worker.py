#!/usr/bin/env python3
"""Map-reduce word count on Switchyard, by a worker in plain Python.

    python3 examples/word-count/worker.py [--url URL] [--project ID] [--parts N] [--workers N] [--pause S] [--serve | FILE ...]

It registers two profiles and a tool, launches the principal on the text, runs the turns of principal and mappers in its
threads, answers the tool's calls, and prints what comes out. With --serve it launches nothing and takes turns for ever:
start as many of those as you like, on any machine, and kill any of them; its turns are taken over by the others.
"""
import argparse, collections, json, pathlib, re, threading, time, uuid

from switchyard import WORKER, Api, Refused, Turn

HERE = pathlib.Path(__file__).resolve().parent
TARGET, PRINCIPAL, MAPPER = "worker_python", "Word_Count_Principal", "Word_Count_Mapper"
running = {}  # Turns in work, by id: the heartbeats go through them.
pause = 0.0


def word_count(mode, text="", items=()):
    """The tool itself. This program is its service, too."""
    counts = collections.Counter(re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)*", text.lower()))
    for item in items:
        counts.update(item)
    return {"words": counts.total(), "counts": dict(counts)}


def use(turn, tool, arguments):
    call = turn.call(tool, arguments)
    if call["result"] is None and tool == "word_count":
        time.sleep(pause)
        turn.api.post(f"/tool-calls/{call['tool_call_id']}:report", status="success", result=word_count(**arguments()))
    result = call["result"] or turn.wait(call["tool_call_id"])
    if result and result["status"] not in ("success", "partial"):
        raise RuntimeError(f"{tool} {result['status']}: {json.dumps(result.get('error') or result.get('result'))}")
    return result and result["result"]


def principal(turn):
    given = {card["type"]: card["content"].get("text") for card in turn.cards("context_box_id")}
    lines, parts = given["task.context"].splitlines(), int(re.search(r"\d+", given["task.instruction"])[0])
    size = -(-len(lines) // parts)
    chunks = ["\n".join(lines[at : at + size]) for at in range(0, len(lines), size)]
    task = lambda i: {"target_strategy": "new", "target_ref": MAPPER, "instruction": f"Part {i + 1}\n{chunks[i]}"}
    tasks = lambda: {"tasks": [task(i) for i in range(len(chunks))], "deadline_seconds": 600}
    joined = use(turn, "fork_join", tasks)
    if joined is None:
        return  # It sleeps until all mappers have ended; the result is claimed as a row of its own.
    counted = []
    for branch in joined["results"]:
        if branch["status"] == "success":
            [card] = turn.api.get(f"/boxes/{branch['output_box_id']}/cards?limit=1")
            fields = {field["name"]: field["value"] for field in card["content"]["data"]["fields"]}
            counted.append(json.loads(fields["counts"]))
    total = use(turn, "word_count", lambda: {"mode": "reduce", "items": counted})
    if total:
        top = sorted(total["counts"].items(), key=lambda it: (-it[1], it[0]))[:10]
        turn.deliver(words=total["words"], distinct=len(total["counts"]), top=top, parts=f"{len(counted)} of {len(chunks)}")


def mapper(turn):
    [text] = [card["content"]["text"] for card in turn.cards("context_box_id") if card["type"] == "task.instruction"]
    text = text.partition("\n")[2]  # Under "Part 1".
    part = use(turn, "word_count", lambda: {"mode": "map", "text": text})
    if part:
        turn.deliver(words=part["words"], counts=part["counts"])


def run(api, item):
    inbox, turn = item["inbox"], Turn(api, item["turn"], item["epoch"])
    if inbox["message_type"] == "turn":
        turn.turn = turn.do("start", worker_id=WORKER)["turn"]
    else:  # A result that the turn waits for. With the last one it goes on, under a new epoch.
        resumed = turn.do("resume", inbox_id=inbox["inbox_id"])
        turn.epoch = resumed["epoch"]
        if resumed["status"] != "running":
            return
    running[turn.id] = turn
    print(f"{turn.turn['headcode']}  epoch {turn.epoch}  {inbox['message_type']:11}  {turn.turn['title'][:64]}", flush=True)
    try:
        {PRINCIPAL: principal, MAPPER: mapper}[turn.turn["profile_name"]](turn)
    except (ValueError, LookupError, RuntimeError) as error:
        turn.do("deliver", status="failed", error_code="worker_error", error=repr(error)[:2000])
    finally:
        running.pop(turn.id, None)


def work(api):
    while True:
        try:
            for item in api.post("/workers:claim", worker_target=TARGET, worker_id=WORKER, wait_ms=5000)["items"]:
                run(api, item)
        except Refused as refused:  # 409 fenced: the turn was stopped, or is another worker's. Drop it, take the next.
            print(f"dropped a turn: {refused}", flush=True)
            time.sleep(0 if refused.code == "fenced" else 1)
        except OSError as error:
            print(f"the server does not answer: {error}", flush=True)


def beat():
    while True:
        for turn in list(running.values()):
            try:
                turn.do("heartbeat", worker_id=WORKER)
            except (Refused, OSError):
                pass  # The turn's next write is told the same.
        time.sleep(10)


def main():
    global pause
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--url", default="http://127.0.0.1:4600")
    options.add_argument("--project", default="word-count")
    options.add_argument("--parts", type=int, default=4, help="mappers that count at the same time (4)")
    options.add_argument("--workers", type=int, default=4, help="turns that this process runs at the same time (4)")
    options.add_argument("--serve", action="store_true", help="only take turns, for ever")
    options.add_argument("--pause", type=float, default=0, help="seconds that a count takes, to watch it (0)")
    options.add_argument("files", nargs="*", type=pathlib.Path, default=[HERE / "../../LICENSE"], metavar="FILE")
    given = options.parse_args()
    pause = given.pause
    api = Api(given.url, given.project)
    try:
        api("POST", "", {"project_id": given.project, "title": "Word count"})
    except Refused as refused:
        if refused.code != "conflict":
            raise
    api.ensure("/profiles", PRINCIPAL, HERE / "principal.yaml")
    api.ensure("/profiles", MAPPER, HERE / "mapper.yaml")
    api.ensure("/tools", "word_count", HERE / "tool.yaml")
    threads = [threading.Thread(target=job, daemon=True) for job in [beat] + [lambda: work(api)] * given.workers]
    for thread in threads:
        thread.start()
    while given.serve:
        time.sleep(1)
    text = "\n".join(file.read_text("utf-8") for file in given.files)
    box = api.post("/boxes", cards=[{"type": "task.context", "content": text}])["box_id"]
    task = {"profile_name": PRINCIPAL, "instruction": f"Count the words in {given.parts} parts.", "context_box_id": box}
    launched = api.post("/pmo/launch_principal:call", args=task, action_id=uuid.uuid4().hex)["result"]
    while not (turn := api.get(f"/turns/{launched['agent_turn_id']}")).get("ended_at"):
        time.sleep(0.2)
    if turn["status"] != "success":
        raise SystemExit(f"{turn['status']}: {turn.get('error')}")
    for field in turn["deliverable"]["content"]["data"]["fields"]:
        print(f"{field['name']:9} {field['value']}")
    print(f"See it at {given.url}/p/{given.project}")


if __name__ == "__main__":
    main()

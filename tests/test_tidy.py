"""House rules that no linter knows, checked over the text and the syntax tree of every file of the repository.

A rule is a function from a file to its findings, `(line, what is wrong)`; `verify` runs it over the files that it is
about and fails with one line per finding. At the end each rule is tried on a line that breaks it, so that a rule which
finds nothing anywhere is not silently trusted.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 40
ENGINE_PACKAGES = frozenset({"engine", "msgspec", "phevaluator"})
CHANCE_AND_CLOCK = frozenset({"numpy", "random", "secrets", "time"})
UUID_NAMES = frozenset({"NAMESPACE_DNS", "NAMESPACE_OID", "NAMESPACE_URL", "NAMESPACE_X500", "UUID", "uuid5"})
BANNED_FILE_NAMES = frozenset({"helpers.py", "utils.py"})
TASK_MARKER = re.compile(r"\bTODO\b|\bFIXME\b|\bXXX\b")
BANNER = re.compile(r"^\s*#\s*[-=*#~_+]{3,}")
MACHINE_WORDS = (r"(?<![\w.])/(?:work|tmp|root)/", r"\bpypi\.org\b", r"\bpythonhosted\.")
MACHINE_WORD = re.compile("|".join(MACHINE_WORDS))


class Source(NamedTuple):
    """A text file of the repository; `path` is relative to its root."""

    path: str
    text: str

    @property
    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines, numbered from 1."""
        return enumerate(self.text.splitlines(), start=1)

    @property
    def nodes(self) -> Iterator[ast.AST]:
        """All nodes of the syntax tree."""
        return ast.walk(ast.parse(self.text))


Finding: TypeAlias = tuple[int, str]
Rule: TypeAlias = Callable[[Source], Iterator[Finding]]


def listed_paths() -> Iterable[Path]:
    """Return the paths that git tracks or would track; without git, all but hidden folders, caches and `build`."""
    command = ("git", "ls-files", "-co", "--exclude-standard", "-z")
    try:
        listing = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)  # noqa: S603 - constant.
    except (FileNotFoundError, subprocess.CalledProcessError):
        hidden = re.compile(r"(^|/)(\.(?!ci/)[^/]*/|__pycache__/|build/)")
        return (path for path in ROOT.rglob("*") if not hidden.search(path.relative_to(ROOT).as_posix()))
    return (ROOT / name for name in listing.stdout.split("\0") if name)


@cache
def sources() -> tuple[Source, ...]:
    """Return the text files of the repository that we wrote: `gen/` is compiled and binary files have no lines."""
    found = []
    for path in sorted(listed_paths()):
        name = path.relative_to(ROOT).as_posix()
        if path.is_file() and not name.startswith("gen/"):
            content = path.read_bytes()
            if b"\0" not in content:
                found.append(Source(name, content.decode(errors="replace")))
    return tuple(found)


def python(folder: str = "") -> list[Source]:
    """Return the Python files below `folder`."""
    return [source for source in sources() if source.path.startswith(folder) and source.path.endswith(".py")]


def verify(rule: Rule, files: Iterable[Source]) -> None:
    """Fail with `file:line: what is wrong` for each finding of `rule`."""
    findings = [f"{file.path}:{line}: {wrong}" for file in files for line, wrong in rule(file)]
    if findings:
        pytest.fail("\n".join(findings), pytrace=False)


def long_file(source: Source) -> Iterator[Finding]:
    """Find a file of more lines than one sitting can hold."""
    count = len(source.text.splitlines())
    if count > FILE_LINES_MAX:
        yield count, f"{count} lines, at most {FILE_LINES_MAX} are allowed: split it by a domain word"


def long_function(source: Source) -> Iterator[Finding]:
    """Find functions of too many lines, decorators and docstring not counted."""
    for node in source.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            count = line_count(node)
            if ast.get_docstring(node) is not None:
                count -= line_count(node.body[0])
            if count > FUNCTION_LINES_MAX:
                yield node.lineno, f"{node.name} has {count} lines, at most {FUNCTION_LINES_MAX} are allowed"


def line_count(node: ast.stmt) -> int:
    """Return how many lines a statement spans."""
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1


def inexact_number(source: Source) -> Iterator[Finding]:
    """Find float literals, true division, and calls that make or round floats."""
    for node in source.nodes:
        match node:
            case ast.Constant(value=float() | complex()):
                yield node.lineno, f"the literal {node.value!r} is not a whole number"
            case ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()):
                yield node.lineno, "`/` makes floats: use `//` and say where the remainder goes"
            case ast.Call(func=ast.Name(id="float" | "round" as name)):
                yield node.lineno, f"`{name}()` is inexact"
            case _:
                continue


def imports(source: Source) -> Iterator[tuple[int, str]]:
    """Yield each import of an absolute module, wherever it stands, as its line and its top-level package."""
    for node in source.nodes:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.partition(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
            yield node.lineno, node.module.partition(".")[0]


def import_of_chance_or_clock(source: Source) -> Iterator[Finding]:
    """Find imports through which chance or time could enter."""
    for line, package in imports(source):
        if package in CHANCE_AND_CLOCK:
            yield line, f"imports {package}: chance and time arrive as arguments"


def import_of_stranger(source: Source) -> Iterator[Finding]:
    """Find imports of what is neither the standard library nor one of the engine's few packages."""
    for line, package in imports(source):
        if package not in sys.stdlib_module_names | ENGINE_PACKAGES:
            yield line, f"imports {package}: the engine has {', '.join(sorted(ENGINE_PACKAGES))} and no more"


def unrepeatable_uuid(source: Source) -> Iterator[Finding]:
    """Find uses of `uuid` other than `uuid5` and its arguments: every other kind draws on chance or the clock."""
    for node in source.nodes:
        match node:
            case ast.ImportFrom(module="uuid"):
                names = [alias.name for alias in node.names]
            case ast.Attribute(value=ast.Name(id="uuid")):
                names = [node.attr]
            case ast.Import(names=aliases):
                names = [alias.asname for alias in aliases if alias.name == "uuid" and alias.asname]
            case _:
                continue
        yield from ((node.lineno, f"uuid: {name} may not be used here") for name in names if name not in UUID_NAMES)


def banned_file_name(source: Source) -> Iterator[Finding]:
    """Find files named after nothing."""
    if Path(source.path).name in BANNED_FILE_NAMES:
        yield 1, "name the file after what it knows"


def task_marker(source: Source) -> Iterator[Finding]:
    """Find notes about work that is not done."""
    for number, line in source.lines:
        if TASK_MARKER.search(line):
            yield number, "do it, or file it"


def banner(source: Source) -> Iterator[Finding]:
    """Find comments that are drawn rather than written."""
    for number, line in source.lines:
        if BANNER.search(line):
            yield number, "a banner: split the file, or say it in words"


def machine_word(source: Source) -> Iterator[Finding]:
    """Find names of one machine's folders and of package hosts."""
    for number, line in source.lines:
        if found := MACHINE_WORD.search(line):
            yield number, f"{found.group()!r} is true on one machine only"


def missing_header(source: Source) -> Iterator[Finding]:
    """Find a module that does not say what it is about."""
    if ast.get_docstring(ast.parse(source.text)) is None:
        yield 1, "the module has no docstring"


def swallowed_error(source: Source) -> Iterator[Finding]:
    """Find handlers that catch everything and do nothing."""
    for node in source.nodes:
        if not isinstance(node, ast.ExceptHandler):
            continue
        catches_all = node.type is None or ast.unparse(node.type) in {"Exception", "BaseException"}
        if catches_all and all(isinstance(statement, ast.Pass | ast.Continue) for statement in node.body):
            yield node.lineno, "every error is swallowed here"


def unexplained_test(source: Source) -> Iterator[Finding]:
    """Find tests that do not say which rule they check."""
    for node in source.nodes:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and ast.get_docstring(node) is None:
            yield node.lineno, f"{node.name} has no docstring that says its rule"


def unlocked_requirement(source: Source) -> Iterator[Finding]:
    """Find lines of a lock file that name an address, set an option, or are not an exact version with its hash."""
    for number, line in source.lines:
        if not re.fullmatch(r"#.*|\S+==\S+ .*\\|    --hash=sha256:[0-9a-f]{64}( \\)?", line) or "://" in line:
            yield number, f"{line!r} is neither `name==version \\` nor a hash"


def test_files_are_short() -> None:
    """A Python file has at most 400 lines."""
    verify(long_file, python())


def test_functions_are_short() -> None:
    """A function has at most 40 lines, not counting its docstring."""
    verify(long_function, python())


def test_engine_has_no_inexact_numbers() -> None:
    """The engine has no float, no `/` and no rounding, so that no chip can get lost in one."""
    verify(inexact_number, python("engine/"))


def test_engine_has_no_chance_and_no_clock() -> None:
    """T-RNG-6, FAULT-125: `random`, `secrets`, `numpy` and `time` are imported nowhere in the engine."""
    verify(import_of_chance_or_clock, python("engine/"))


def test_engine_has_few_packages() -> None:
    """The engine imports the standard library, msgspec, the hand evaluator and itself."""
    verify(import_of_stranger, python("engine/"))


def test_engine_ids_are_repeatable() -> None:
    """The engine uses `uuid` for `uuid5` alone."""
    verify(unrepeatable_uuid, python("engine/"))


def test_files_are_named_after_what_they_know() -> None:
    """There is no `utils.py` and no `helpers.py`."""
    verify(banned_file_name, sources())


def test_nothing_is_left_to_do() -> None:
    """No file holds a marker for work that is not done."""
    verify(task_marker, sources())


def test_there_are_no_banners() -> None:
    """No comment is a line of dashes or the like."""
    verify(banner, [source for source in sources() if not source.path.endswith((".md", ".txt"))])


def test_no_file_knows_a_machine() -> None:
    """No file names a folder of one machine or the address of a package index."""
    verify(machine_word, sources())


def test_modules_have_headers() -> None:
    """Every Python module begins with its theory."""
    verify(missing_header, python())


def test_no_error_is_swallowed() -> None:
    """No handler catches everything and does nothing."""
    verify(swallowed_error, python())


def test_tests_say_their_rule() -> None:
    """Every test has a docstring."""
    verify(unexplained_test, python("tests/"))


def test_lock_files_are_exact() -> None:
    """Every requirement is locked to one version with hashes, and no lock file names an address."""
    verify(unlocked_requirement, [s for s in sources() if re.fullmatch(r"requirements/\w+\.txt", s.path)])


def test_dependencies_are_explained() -> None:
    """`docs/dependencies.md` has a line for each direct dependency, with the version that is locked."""
    explained = (ROOT / "docs/dependencies.md").read_text()
    for folder in (ROOT / "requirements").glob("*.in"):
        locked = dict(re.findall(r"^(\S+)==(\S+)", folder.with_suffix(".txt").read_text(), re.MULTILINE))
        for name in re.findall(r"^\w[\w-]*", folder.read_text(), re.MULTILINE):
            line = f"| {name} | {locked[name.replace('_', '-')]} |"
            assert line in explained, f"docs/dependencies.md has no line that begins with {line!r}"


BREACHES: tuple[tuple[Rule, str], ...] = (
    (long_file, "\n" * 401),
    (long_function, "def f():\n" + "    pass\n" * 40),
    (long_function, 'async def f():\n    """Say\n    much."""\n' + "    pass\n" * 40),
    (inexact_number, "half = 0.5"),
    (inexact_number, "half = pot / 2"),
    (inexact_number, "pot /= 2"),
    (inexact_number, "float(pot)"),
    (inexact_number, "round(pot)"),
    (import_of_chance_or_clock, "def f():\n    import random"),
    (import_of_chance_or_clock, "from numpy.random import PCG64"),
    (import_of_stranger, "import pokerkit"),
    (unrepeatable_uuid, "from uuid import uuid4"),
    (unrepeatable_uuid, "uuid.uuid1()"),
    (unrepeatable_uuid, "import uuid as u"),
    (task_marker, "# TO" + "DO: think"),
    (banner, "    # ---- cards ----"),
    (machine_word, "open('" + "/tm" + "p/hand.json')"),
    (machine_word, "--index-url https:" + "//py" + "pi.org/simple"),
    (missing_header, "pot = 0"),
    (swallowed_error, "try:\n    f()\nexcept Exception:\n    pass"),
    (swallowed_error, "while True:\n    try:\n        f()\n    except:\n        continue"),
    (unexplained_test, "def test_pot():\n    pass"),
    (unlocked_requirement, "msgspec"),
    (unlocked_requirement, "--find-links wheels"),
)


@pytest.mark.parametrize(("rule", "text"), BREACHES)
def test_rules_have_teeth(rule: Rule, text: str) -> None:
    """A rule finds a file that breaks it."""
    assert list(rule(Source("example.py", text)))


@pytest.mark.parametrize("name", sorted(BANNED_FILE_NAMES))
def test_file_names_have_teeth(name: str) -> None:
    """A file named after nothing is found in any folder."""
    assert list(banned_file_name(Source(f"engine/poker/{name}", "")))

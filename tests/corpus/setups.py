"""One function a command of packages.toml: it builds the working folder, and says what the effects are.

Each gets an empty folder, in which it may also use the folder around (for programs and configuration that
are not the work itself), and the environment of the run to add to.
"""

import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

MODULES_REMOTE = "https://github.com/nf-core/modules.git"


@dataclass(frozen=True)
class Effects:
    """Paths in the working folder, relative to it, that tell whether the program did its work.

    After a run that stopped at its question nothing of `done` may be there, and `kept` must be as it was;
    after a run that was answered as packages.toml says, `done` is there, `gone` is not, and `changed`, which
    was there from the start and counts as kept until then, is not as it was. `early` is what the program
    writes before it asks, today: a second run must not do it twice.
    """

    kept: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    early: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def git(folder: Path, *arguments: str) -> str:
    """Run git as nobody in particular, and return what it printed."""
    who = ["-c", "user.name=corpus", "-c", "user.email=corpus@example.invalid", "-c", "commit.gpgsign=false"]
    return subprocess.run(
        ["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


def commit_all(folder: Path) -> str:
    """Make `folder` a repository with one commit, and return the commit."""
    git(folder, "init", "--quiet", "--initial-branch=master")
    git(folder, "add", "--all", "--force")
    git(folder, "commit", "--quiet", "--message=start")
    return git(folder, "rev-parse", "HEAD")


FASTQC = "modules/nf-core/fastqc/main.nf"
MODULE = {
    "main.nf": "process QC {\n    input:\n    path reads\n    script:\n    'true'\n}\n",
    "meta.yml": "name: qc\ndescription: reads\nkeywords: [qc]\ntools: []\ninput: []\noutput: []\n",
    "environment.yml": "channels: [bioconda]\ndependencies: [bioconda::fastqc=0.12.1]\n",
}


# nf-core asks Nextflow (a Java program) for the pipeline's configuration, before it comes to any prompt.
NEXTFLOW = """#!/bin/sh
case "$1" in
    -v) echo 'nextflow version 25.10.0.10289' ;;
    config)
        echo "manifest.name = 'me/demo'"
        echo "manifest.author = 'me'"
        echo "manifest.description = 'a demo'"
        echo "manifest.version = '1.0.0'"
        echo "manifest.homePage = 'https://example.invalid'"
        ;;
esac
"""


def stand_in_nextflow(work: Path, env: dict[str, str]) -> None:
    tools = work.parent / "tools"
    write(tools, {"nextflow": NEXTFLOW})
    (tools / "nextflow").chmod(0o755)
    env["PATH"] = os.pathsep.join([str(tools), env["PATH"]])


def modules_remote(work: Path, env: dict[str, str]) -> str:
    """A small stand-in for the nf-core/modules repository, which git is told to use instead; its commit."""
    stand_in_nextflow(work, env)
    remote = work.parent / "modules-remote"
    write(remote, {".nf-core.yml": "repository_type: modules\norg_path: nf-core\n"})
    for module in ("fastqc", "multiqc"):
        write(remote, {f"modules/nf-core/{module}/{name}": text for name, text in MODULE.items()})
    write(remote, {"subworkflows/nf-core/demo/main.nf": "workflow DEMO {\n}\n"})
    sha = commit_all(remote)
    config = work.parent / "gitconfig"
    config.write_text(f'[url "{remote.as_uri()}"]\n\tinsteadOf = {MODULES_REMOTE}\n')
    env["GIT_CONFIG_GLOBAL"] = str(config)
    return sha


def pipeline(work: Path, env: dict[str, str]) -> None:
    """An nf-core pipeline with one module installed, which its workflow uses."""
    sha = modules_remote(work, env)
    entry = f'{{"branch": "master", "git_sha": "{sha}", "installed_by": ["modules"]}}'
    repos = f'{{"{MODULES_REMOTE}": {{"modules": {{"nf-core": {{"fastqc": {entry}}}}}}}}}'
    files = {
        ".nf-core.yml": "repository_type: pipeline\nnf_core_version: 3.5.2\n",
        "main.nf": "include { DEMO } from './workflows/demo'\nworkflow {\n    DEMO()\n}\n",
        "nextflow.config": "manifest {\n    name = 'me/demo'\n}\n",
        "workflows/demo.nf": "include { FASTQC } from '../modules/nf-core/fastqc/main'\nworkflow DEMO {\n}\n",
        "modules.json": f'{{"name": "me/demo", "homePage": "https://example.invalid", "repos": {repos}}}\n',
    }
    write(work, files)
    write(work, {f"modules/nf-core/fastqc/{name}": text for name, text in MODULE.items()})
    (work / "subworkflows").mkdir()
    commit_all(work)


def nfcore_modules_create(work: Path, env: dict[str, str]) -> Effects:
    """A folder of which nf-core cannot tell whether it is a pipeline: asks that first."""
    modules_remote(work, env)
    write(work, {"main.nf": "workflow {\n}\n", ".nf-core.yml": "nf_core_version: 3.5.2\n"})
    commit_all(work)
    return Effects(kept=("main.nf", ".nf-core.yml"), done=("modules/local/demo/main.nf",))


def nfcore_modules_create_named(work: Path, env: dict[str, str]) -> Effects:
    pipeline(work, env)
    return Effects(kept=("modules.json", FASTQC), done=("modules/local/demo/main.nf",))


def nfcore_modules_install(work: Path, env: dict[str, str]) -> Effects:
    pipeline(work, env)
    return Effects(kept=("modules.json", FASTQC), done=("modules/nf-core/multiqc/main.nf",))


def nfcore_modules_remove(work: Path, env: dict[str, str]) -> Effects:
    pipeline(work, env)
    return Effects(kept=("modules.json", FASTQC), gone=(FASTQC,))


def nfcore_modules_remove_included(work: Path, env: dict[str, str]) -> Effects:
    """Removing a module that a workflow still includes asks; modules.json has lost it by then."""
    pipeline(work, env)
    return Effects(kept=(FASTQC,), gone=(FASTQC,), early=("modules.json",))


def nfcore_modules_update(work: Path, env: dict[str, str]) -> Effects:
    pipeline(work, env)
    return Effects(kept=("modules.json", FASTQC))


def nfcore_subworkflows_create(work: Path, env: dict[str, str]) -> Effects:
    pipeline(work, env)
    return Effects(kept=("modules.json",), done=("subworkflows/local/bamsort/main.nf",))


def cookiecutter_template(work: Path, env: dict[str, str]) -> Effects:
    variables = '{"project_name": "demo", "license": ["MIT", "Apache-2.0"], "docs": true, "extra": {"a": "b"}}'
    files = {
        "template/cookiecutter.json": variables,
        "template/{{cookiecutter.project_name}}/README.md": "# {{cookiecutter.project_name}}\n",
    }
    write(work, files)
    return Effects(kept=("template/cookiecutter.json",), done=("demo/README.md",))


def cookiecutter_hooks(work: Path, env: dict[str, str]) -> Effects:
    effects = cookiecutter_template(work, env)
    hook = "from pathlib import Path\nPath('hook-ran').write_text('yes')\n"
    write(work, {"template/hooks/post_gen_project.py": hook})
    return effects


def khard_remove(work: Path, env: dict[str, str]) -> Effects:
    card = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:alice-1\r\nFN:Alice Smith\r\nN:Smith;Alice;;;\r\nEND:VCARD\r\n"
    config = "[addressbooks]\n[[friends]]\npath = contacts\n[general]\neditor = true\nmerge_editor = true\n"
    write(work, {"contacts/alice.vcf": card, "k.conf": config})
    return Effects(kept=("contacts/alice.vcf",), gone=("contacts/alice.vcf",))


def towncrier_build(work: Path, env: dict[str, str]) -> Effects:
    """NEWS.rst is written and staged before the question: a second run would enter the version twice."""
    files = {
        "pyproject.toml": "[tool.towncrier]\nname = 'demo'\ndirectory = 'newsfragments'\n",
        "newsfragments/1.feature.rst": "A new thing.\n",
    }
    write(work, files)
    commit_all(work)
    fragment = "newsfragments/1.feature.rst"
    return Effects(kept=(fragment,), gone=(fragment,), early=("NEWS.rst",))


def towncrier_create(work: Path, env: dict[str, str]) -> Effects:
    towncrier_build(work, env)
    # The person's editor: writes a line and is closed.
    editor = work.parent / "tools" / "editor"
    write(editor.parent, {editor.name: "#!/bin/sh\necho 'Another new thing.' >> \"$1\"\n"})
    editor.chmod(0o755)
    env["EDITOR"] = str(editor)
    return Effects(kept=("newsfragments/1.feature.rst",), done=("newsfragments/7.feature.rst",))


def twine_upload(work: Path, env: dict[str, str]) -> Effects:
    """A real sdist, and an index at the discard port, where nobody listens."""
    metadata = "Metadata-Version: 2.1\nName: demo\nVersion: 1.0\nSummary: a demo\n"
    write(work, {"demo-1.0/PKG-INFO": metadata, "demo-1.0/pyproject.toml": "[project]\nname = 'demo'\n"})
    (work / "dist").mkdir()
    with tarfile.open(work / "dist/demo-1.0.tar.gz", "w:gz") as sdist:
        sdist.add(work / "demo-1.0", "demo-1.0")
    env["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"
    return Effects(kept=("dist/demo-1.0.tar.gz",))


def pelican_quickstart(work: Path, env: dict[str, str]) -> Effects:
    return Effects(done=("content", "pelicanconf.py", "publishconf.py"))


def keyring_set(work: Path, env: dict[str, str]) -> Effects:
    env["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"
    return Effects()


def watson_remove(work: Path, env: dict[str, str]) -> Effects:
    """One frame, an hour long; watson keeps the old file as frames.bak."""
    write(work, {"watson/frames": '[[1700000000, 1700003600, "demo", "0123abcd", ["tag"], 1700003600]]'})
    env |= {"WATSON_DIR": str(work / "watson"), "TZ": "UTC"}
    return Effects(changed=("watson/frames",), done=("watson/frames.bak",))


def watson_start(work: Path, env: dict[str, str]) -> Effects:
    watson_remove(work, env)
    return Effects(kept=("watson/frames",), done=("watson/state",))


def todo_delete(work: Path, env: dict[str, str]) -> Effects:
    """A calendar of one task. The cache is there from the start, or the numbers would be made anew each run."""
    task = "BEGIN:VTODO\r\nUID:milk-1\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:Buy milk\r\nEND:VTODO\r\n"
    calendar = f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//corpus//EN\r\n{task}END:VCALENDAR\r\n"
    write(work, {"calendars/home/milk.ics": calendar, "c.py": f'path = "calendars/*"\ncache_path = "{work}/cache"\n'})
    env["TZ"] = "UTC"
    milk = "calendars/home/milk.ics"
    return Effects(kept=(milk,), gone=(milk,))


def todo_flush(work: Path, env: dict[str, str]) -> Effects:
    effects = todo_delete(work, env)
    milk = work / effects.kept[0]
    done = "STATUS:COMPLETED\r\nCOMPLETED:20260102T000000Z\r\nPERCENT-COMPLETE:100\r\nEND:VTODO"
    milk.write_bytes(milk.read_bytes().replace(b"END:VTODO", done.encode()))
    return effects


def supervisorctl(work: Path, env: dict[str, str]) -> Effects:
    """Nobody serves at the address: it says so, and waits for the next command."""
    write(work, {"s.conf": "[supervisorctl]\nserverurl = http://127.0.0.1:9\n"})
    return Effects(kept=("s.conf",))


def pgcli_password(work: Path, env: dict[str, str]) -> Effects:
    """No database server: the question for the password comes before the connection."""
    return Effects()


SETTINGS = """\
from pathlib import Path

BASE = Path(__file__).parent
SECRET_KEY = "corpus"
INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.staticfiles", "demo"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": BASE / "db.sqlite3"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
STATIC_URL = "static/"
STATIC_ROOT = BASE / "collected"
STATICFILES_DIRS = [BASE / "assets"]
USE_TZ = True
"""

MANAGE = """\
import os
import sys

from django.core.management import execute_from_command_line

os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
execute_from_command_line(sys.argv)
"""

MODEL = "from django.db import models\n\n\nclass Thing(models.Model):\n    name = models.CharField(max_length=9)\n"


def django_project(work: Path, env: dict[str, str]) -> None:
    """A project with one app, its database migrated, and one user in it."""
    shutil.copytree(_django_project(env["PATH"], env["HOME"]), work, dirs_exist_ok=True)
    env["DJANGO_SETTINGS_MODULE"] = "settings"


_made = tempfile.TemporaryDirectory(prefix="corpus-django-")


def _django_project(path: str, home: str) -> Path:
    """Made once, by the unmodified Django: it takes three commands."""
    folder = Path(_made.name) / "project"
    if folder.is_dir():
        return folder
    files = {
        "settings.py": SETTINGS,
        "manage.py": MANAGE,
        "demo/__init__.py": "",
        "demo/models.py": MODEL,
        "assets/a.css": "a {}\n",
        "collected/b.css": "b {}\n",
    }
    write(folder, files)
    env = {"PATH": path, "HOME": home, "DJANGO_SUPERUSER_PASSWORD": "a-long-one-7", "PYTHONDONTWRITEBYTECODE": "1"}
    user = "createsuperuser --noinput --username me --email me@example.invalid"
    for line in ("makemigrations demo", "migrate", user):
        subprocess.run(
            ["python", "manage.py", *line.split(), "--verbosity=0"],
            executable=shutil.which("python", path=path),
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            check=True,
            capture_output=True,
        )
    return folder


def django_flush(work: Path, env: dict[str, str]) -> Effects:
    django_project(work, env)
    return Effects(changed=("db.sqlite3",))


def django_collectstatic(work: Path, env: dict[str, str]) -> Effects:
    django_project(work, env)
    return Effects(kept=("collected/b.css",), done=("collected/a.css",))


def django_makemigrations(work: Path, env: dict[str, str]) -> Effects:
    """A field has another name: was it renamed?"""
    django_project(work, env)
    write(work, {"demo/models.py": MODEL.replace("name =", "title =")})
    return Effects(kept=("demo/migrations/0001_initial.py",), done=("demo/migrations/0002_next.py",))


def django_makemigrations_default(work: Path, env: dict[str, str]) -> Effects:
    """A new field needs a value for the rows that are there: a choice, then a text."""
    effects = django_makemigrations(work, env)
    write(work, {"demo/models.py": f"{MODEL}    size = models.IntegerField()\n"})
    return effects


def django_squashmigrations(work: Path, env: dict[str, str]) -> Effects:
    django_project(work, env)
    return Effects(kept=("db.sqlite3",), done=("demo/migrations/0001_squashed_0001_initial.py",))


def django_remove_stale_contenttypes(work: Path, env: dict[str, str]) -> Effects:
    """The app's model is gone, its content type is still in the database."""
    django_project(work, env)
    write(work, {"demo/models.py": ""})
    return Effects(changed=("db.sqlite3",))


def django_changepassword(work: Path, env: dict[str, str]) -> Effects:
    return django_flush(work, env)


def django_createsuperuser(work: Path, env: dict[str, str]) -> Effects:
    return django_flush(work, env)


BUILDERS: dict[str, Callable[[Path, dict[str, str]], Effects]] = {
    builder.__name__: builder
    for builder in (
        nfcore_modules_create,
        nfcore_modules_create_named,
        nfcore_modules_install,
        nfcore_modules_remove,
        nfcore_modules_remove_included,
        nfcore_modules_update,
        nfcore_subworkflows_create,
        cookiecutter_template,
        cookiecutter_hooks,
        khard_remove,
        towncrier_build,
        towncrier_create,
        twine_upload,
        pelican_quickstart,
        keyring_set,
        watson_remove,
        watson_start,
        todo_delete,
        todo_flush,
        supervisorctl,
        pgcli_password,
        django_flush,
        django_collectstatic,
        django_makemigrations,
        django_makemigrations_default,
        django_squashmigrations,
        django_remove_stale_contenttypes,
        django_changepassword,
        django_createsuperuser,
    )
}

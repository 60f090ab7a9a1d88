"""A page for every example, which replays it, and the gallery of those with a picture."""

from __future__ import annotations

import ast
import html
import os
import shutil
from pathlib import Path

import yaml
from stage import REPOSITORY, example_page

EXAMPLES = REPOSITORY / "examples"
PICTURES = REPOSITORY / "docs" / "images" / "gallery"
OTHER = {
    "basins_of_attraction": "basins.png",
    "four_bar_synthesis": "four-bar-synthesis.png",
}
"""Pictures of examples that are not drawn from a run, in docs/images."""
SECTIONS = {
    "Formulas": (
        *("pendulum", "braun_goldfarb_5_1_pendulum", "braun_goldfarb_5_2_slider_crank"),
        *("braun_goldfarb_5_3_four_bars", "braun_goldfarb_5_4_biped"),
        *("braun_goldfarb_figures_1_2", "nonholonomic_sleigh", "own_formulas_sympy"),
        "towing_tank_own_integrator",
    ),
    "Mechanisms": ("four_bar_3d", "slider_crank_bodies", "stewart_platform"),
    "Contact": ("dominoes_fall", "gripper_lifts", "geneva_drive_quarters"),
    "Robots and trees": (
        *("arm_on_a_circle", "quadruped_lands", "humanoid_falls", "turn_without_momentum"),
    ),
    "Control": ("cart_pole_balanced",),
    "Events": ("latch", "docking", "breaking_link"),
    "Many runs": ("friction_angle_swept", "basins_of_attraction", "four_bar_synthesis"),
}
"""Examples by what they show; the others follow."""
MUSEUM = "Problems reported elsewhere, solved"
LEXERS = {".py": "python", ".yaml": "yaml", ".xml": "xml"}
LIVE = {  # examples of models of the catalog: these run on their pages, as files of models do
    "pendulum": "pendulum",
    "braun_goldfarb_5_1_pendulum": "pendulum",
    "braun_goldfarb_5_2_slider_crank": "slider-crank",
    "braun_goldfarb_5_3_four_bars": "four-bars",
    "braun_goldfarb_5_4_biped": "biped",
    "four_bar_3d": "four-bar-3d",
    "slider_crank_bodies": "slider-crank-bodies",
    "stewart_platform": "stewart-platform",
    "nonholonomic_sleigh": "sleigh",
    "02_jansen_linkage_put_together": "jansen-leg",
    "07_two_cardan_branches": "cardan-shaft",
    "16_the_last_bounces": "bouncing-ball:restitution=0.5",
    "18_newtons_cradle": "cradle:gap=0.005",
    "20_intermediate_axis": "dzhanibekov",
    "25_ratchet": "ratchet",
}
FILES = (".yaml",)
FEW = ("four_bar_3d", "quick-return")
"""Those that run where few are to."""


def files() -> list[Path]:
    """Examples, those of the museum last."""
    own = sorted(file for file in EXAMPLES.iterdir() if file.suffix in LEXERS)
    return own + sorted((EXAMPLES / "museum").glob("[0-9]*.py"))


def told(file: Path) -> str:
    """First paragraphs of an example: its docstring, or its description."""
    text = file.read_text()
    if file.suffix == ".py":
        return ast.get_docstring(ast.parse(text)) or file.stem
    if file.suffix == ".yaml":
        return str(yaml.safe_load(text).get("description") or f"{file.stem}: a model file").strip()
    return f"{file.stem}: a model file"


def title(file: Path) -> str:
    """Words of the name of a file."""
    words = file.stem.lstrip("0123456789_").replace("_", " ").replace("-", " ")
    return words[0].upper() + words[1:]


def picture(file: Path) -> Path | None:
    """Its small picture, where there is one."""
    path = PICTURES / f"{file.stem}.png"
    if file.stem in OTHER:
        path = PICTURES.parent / OTHER[file.stem]
    return path if path.exists() else None


def write(folder: Path, played: set[str], few: bool = False) -> None:
    """Write the pages and the gallery; `played` are the examples that have a page of their run."""
    (folder / "examples").mkdir(exist_ok=True)
    cards: dict[str, dict[str, str]] = {title: {} for title in (*SECTIONS, "More", MUSEUM)}
    for file in files():
        page, doc, image = example_page(file), told(file), picture(file)
        parts = [f"# {title(file)}\n", html.escape(doc, quote=False).replace("*", r"\*"), ""]
        model = LIVE.get(file.stem) if not few or file.stem in FEW else None
        if file.suffix in FILES and (not few or file.stem in FEW):
            shutil.copy(file, folder / page.parent / file.name)
            model = file.name
        if model:
            parts += [f"```{{dalembert}} {model}\n\nstep: 0.002\nheight: 480\n```", ""]
        elif file.stem in played:
            frame = f'<iframe class="play" src="../plays/{file.stem}.html" title="{title(file)}"'
            parts += [f'{frame} loading="lazy"></iframe>', ""]
        elif image:
            where = os.path.relpath(image, REPOSITORY / "docs" / "images")
            parts += [f"![{title(file)}](../images/{where})", ""]
        if image:
            cards[section(file)][file.stem] = card(file, page, doc, image)
        where = os.path.relpath(file, REPOSITORY)
        parts += [f"`{where}`", "", f"```{LEXERS[file.suffix]}", file.read_text().rstrip(), "```"]
        (folder / page).write_text("\n".join(parts) + "\n")
    (folder / "gallery.md").write_text(gallery(cards))


def section(file: Path) -> str:
    """Heading under which an example stands."""
    if file.parent.name == "museum":
        return MUSEUM
    return next((title for title, names in SECTIONS.items() if file.stem in names), "More")


def gallery(cards: dict[str, dict[str, str]]) -> str:
    """The gallery: pictures by what they show."""
    text = "# Gallery\n\nEvery picture is a file of `examples/`, run by the tests; it ends in "
    text += "assertions. Its page replays the run.\n\n"
    for heading, own in cards.items():
        if own:
            order = [name for name in SECTIONS.get(heading, ()) if name in own]
            shown = [own[name] for name in (order or own)]
            text += f"## {heading}\n\n" + '<div class="gallery">\n' + "\n".join(shown)
            text += "\n</div>\n\n"
    pages = "\n".join(str(example_page(file).with_suffix("")) for file in files())
    return text + f"```{{toctree}}\n:hidden:\n:maxdepth: 1\n\n{pages}\n```\n"


def card(file: Path, page: Path, doc: str, image: Path) -> str:
    """One picture with its words."""
    words = html.escape(doc.split("\n\n")[0].replace("\n", " "))
    return (
        f'<a class="card" href="{page.with_suffix(".html")}"><img loading="lazy" alt="" '
        f'src="images/{image.relative_to(PICTURES.parent)}"><b>{title(file)}</b><span>{words}</span></a>'
    )

"""What packages declare: where their learners are."""

from induce.core.declarations import learner_modules


def test_learners_are_in_files_named_after_them():
    elsewhere = []
    for name, module in learner_modules().items():
        *_, room, file = module.split(".")
        if room != "learners" or file.replace("_", "") != name.lower():
            elsewhere.append(f"{name} is in {module}")
    assert not elsewhere

from induce.instances.cases.library import CaseLibrary as CaseLibrary

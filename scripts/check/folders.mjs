// `ls` explains a folder only while it fits a screen; a feature of the web has one folder.
import { floorsOf } from './floors.mjs'
import { folderOf, isCode, isTest, nameOf } from './paths.mjs'

const mostTests = 40
const mostSources = 60
/** Folders that hold tests and what only tests need. */
const tests = /^(?:[^/]+\/test|e2e\/journeys|canaries)(?:\/|$)/

export function folders(tree) {
  const held = new Map()
  for (const path of tree.paths.filter(isCode)) {
    const counts = tests.test(folderOf(path)) || (/^[^/]+\/src\//.test(path) && !isTest(path))
    if (counts) held.set(folderOf(path), [...(held.get(folderOf(path)) ?? []), path])
  }
  const full = (most, isOurs) =>
    [...held].flatMap(([folder, files]) =>
      isOurs(folder) && files.length > most ? [{ file: folder, over: files.length - most, text: `${files.length} files` }] : [],
    )
  const sum = (offenders) => offenders.reduce((all, { over }) => all + over, 0)
  const fullTests = full(mostTests, (folder) => tests.test(folder))
  const fullSources = full(mostSources, (folder) => !tests.test(folder))
  const twins = featureTwins(tree)
  return [
    { name: `files above ${mostTests} in folders of tests`, value: sum(fullTests), offenders: fullTests },
    { name: `files above ${mostSources} in folders of src`, value: sum(fullSources), offenders: fullSources },
    { name: 'folders of a web feature outside web/src/features', value: twins.length, offenders: twins },
  ]
}

/** Folders and files that bear a feature's name and stand elsewhere; `ui` has parts of the same names, which know no subject. */
function featureTwins(tree) {
  const features = new Set(
    floorsOf('web').flatMap((floor) =>
      floor.filter((folder) => folder.startsWith('features/')).map((folder) => folder.slice('features/'.length)),
    ),
  )
  const found = new Set(
    tree.paths
      .filter((path) => /^web\/src\/(?!features\/|ui\/)/.test(path))
      .map(folderOf)
      .filter((folder) => features.has(nameOf(folder))),
  )
  return [...found].sort().map((folder) => ({ file: folder, text: `belongs to web/src/features/${nameOf(folder)}` }))
}

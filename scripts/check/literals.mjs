// A Chinese text that two packages both hold has two homes: a label belongs to an enum table of the contract, a sentence to contract/src/rules.
import { isSource, isStyleguide, lineAt, packageOf } from './paths.mjs'

/** Names of things outside the product, and why each stands more than once. */
const exempt = {
  公告实施强赎: 'what a source calls it in its rows, and what we call the state',
  持有数量: "a column of brokers' files, and a size of a rule",
}
/** Files whose texts are not labels of today. */
const exemptFiles = {
  'contract/src/kept-meaning.ts': 'names as rules of earlier engines wrote them: they stay when a label changes',
}

export function literals(tree) {
  const places = new Map()
  for (const path of tree.paths.filter((each) => isSource(each) && !isStyleguide(each) && !(each in exemptFiles))) {
    const text = tree.textOf(path)
    for (const literal of tree.factsOf(path).literals) {
      const said = literal.text.trim()
      // A summary describes a call in the machine's own description of the API.
      if (!isLabel(said) || literal.key === 'summary' || said in exempt) continue
      places.set(said, [...(places.get(said) ?? []), { file: path, line: lineAt(text, literal.at), text: said }])
    }
  }
  const shared = [...places.values()].filter((all) => new Set(all.map(({ file }) => packageOf(file))).size > 1)
  return [
    {
      name: 'Chinese texts in two packages',
      value: shared.length,
      offenders: shared.map(([one, ...more]) => ({
        ...one,
        text: `${one.text}, also ${more.find(({ file }) => packageOf(file) !== packageOf(one.file)).file}`,
      })),
    },
  ]
}

/** 4 to 16 characters, of which at least three are Chinese. */
function isLabel(text) {
  const length = [...text].length
  return length >= 4 && length <= 16 && (text.match(/\p{Script=Han}/gu) ?? []).length >= 3
}

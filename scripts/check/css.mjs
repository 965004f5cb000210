// Styles use the scale: tokens for sizes, spaces, radii and layers, four breakpoints, one Card and one Table.
import { isSource, isStyleguide, lineAt, linesIn } from './paths.mjs'

/** What each rule of web/stylelint.config.mjs finds, as a number of its own: fewer of one must not allow more of another. */
const rules = {
  'declaration-property-value-allowed-list': 'values outside the scale',
  'color-no-hex': 'colours outside tokens.css',
  'declaration-no-important': '!important outside print',
  'selector-max-id': 'selectors by id',
  'selector-max-compound-selectors': 'selectors of more than three parts',
  'no-duplicate-selectors': 'selectors that stand twice in a file',
  'media-feature-name-value-allowed-list': 'media queries outside the four breakpoints',
}

export async function css(tree, { stylelintConfig }) {
  const sheets = tree.paths.filter((path) => /^web\/.*\.css$/.test(path))
  const found = await lint(tree, sheets, stylelintConfig)
  const widths = breakpointsIn(tree, sheets)
  const elements = (name, isOurs) => {
    const offenders = tree.paths
      .filter((path) => /^web\/src\/(?!ui\/).*\.tsx$/.test(path) && isSource(path) && !isStyleguide(path))
      .flatMap((file) =>
        tree
          .factsOf(file)
          .elements.filter(isOurs)
          .map(({ at }) => ({ file, line: lineAt(tree.textOf(file), at), text: 'stands outside web/src/ui' })),
      )
    return { name, value: offenders.length, offenders }
  }
  return [
    { name: 'lines of CSS', value: sheets.reduce((sum, path) => sum + linesIn(tree.textOf(path)), 0), offenders: [] },
    { name: 'breakpoints', value: widths.size, offenders: [...widths.values()] },
    ...Object.entries(rules).map(([rule, name]) => ({ name, value: found.get(rule).length, offenders: found.get(rule) })),
    elements('cards made by hand', ({ classes }) => classes.includes('card')),
    elements('tables made by hand', ({ name }) => name === 'table'),
  ]
}

async function lint(tree, sheets, config) {
  const { default: stylelint } = await import('stylelint')
  const found = new Map(Object.keys(rules).map((rule) => [rule, []]))
  for (const file of sheets) {
    const { results } = await stylelint.lint({ code: tree.textOf(file), codeFilename: file, config })
    for (const { rule, line, text } of results.flatMap(({ warnings }) => warnings)) {
      if (!found.has(rule)) throw new Error(`${file}:${line}: ${text}`)
      found.get(rule).push({ file, line, text: text.replace(/ \(\S+\)$/, '') })
    }
  }
  return found
}

/** Widths at which the layout changes, in sheets and in scripts, by the first place of each. */
function breakpointsIn(tree, sheets) {
  const widths = new Map()
  const note = (file, text, at, width) => {
    if (!widths.has(width)) widths.set(width, { file, line: lineAt(text, at), text: width })
  }
  for (const file of sheets) {
    const text = tree.textOf(file)
    for (const { 0: query, index } of text.matchAll(/@(?:media|container)[^{]*/g)) {
      for (const [, width] of query.matchAll(/width\s*[:<>=]+\s*([\d.]+px)/g)) note(file, text, index, width)
    }
  }
  return new Map([...widths].sort(([a], [b]) => Number.parseFloat(a) - Number.parseFloat(b)))
}

// Runs checks over a tree and holds their numbers against limits (limits.json: `{ "check: name": { limit, goal } }`).

/** Offenders that are shown of a number. */
const shownOffenders = 10

/**
 * @param {object} tree tree.mjs
 * @param {Record<string, Function>} checks those to run, by name
 * @param {Record<string, { limit: number, goal: number }>} limits
 * @param {{ print: (line: string) => void, context?: object, detailed?: boolean, every?: boolean }} options `detailed`: offenders of all
 *   numbers, not only of those above their limit; `every`: all of them, not the first ten
 * @returns {Promise<{ failed: string[], falling: Record<string, number> }>} numbers above their limit or without one, and limits that
 *   have become too high, with what they may be lowered to
 */
export async function judge(tree, checks, limits, { print, context = {}, detailed = false, every = false }) {
  const failed = []
  const falling = {}
  for (const [check, numbersOf] of Object.entries(checks)) {
    const numbers = await numbersOf(tree, context)
    for (const { name, value, offenders } of numbers) {
      const key = `${check}: ${name}`
      const { limit, goal } = limits[key] ?? {}
      const holds = value <= limit
      print(`${key}: ${value} / ${limit ?? 'no limit'}${holds ? '' : '  ← above its limit'}`)
      if (detailed || !holds) show(offenders, every ? offenders.length : shownOffenders, print)
      if (!holds) failed.push(key)
      else if (limit > Math.max(value, goal)) falling[key] = Math.max(value, goal)
    }
    const measured = new Set(numbers.map(({ name }) => `${check}: ${name}`))
    for (const key of Object.keys(limits).filter((each) => each.startsWith(`${check}: `) && !measured.has(each))) {
      print(`${key}: a limit without its number`)
      failed.push(key)
    }
  }
  return { failed, falling }
}

function show(offenders, most, print) {
  for (const { file, line, text } of offenders.slice(0, most)) print(`  ${line === undefined ? file : `${file}:${line}`} ${text}`)
  if (offenders.length > most) print(`  … and ${offenders.length - most} more`)
}

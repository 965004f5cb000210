import type { ComputedDefault, Setting } from './setting.ts'
import { settingGroups } from './settings.ts'

// Texts made of the table of settings, written by `npm run docs:env`: `.env.example` and the tables of docs/configuration.md.

const tableMarks = { begin: '<!-- settings: begin -->', end: '<!-- settings: end -->' } as const

const isComputed = (value: unknown): value is ComputedDefault => typeof value === 'object' && value !== null && 'en' in value

/** A fixed default as it is written in the environment; empty: none. */
function written(value: unknown): string {
  if (isComputed(value)) return ''
  if (typeof value === 'boolean') return value ? '1' : '0'
  return String(value)
}

const rowsOf = (group: { readonly settings: object }) => Object.entries<Setting<unknown>>({ ...group.settings })

const header = `# Settings of Convexa, each with its default. Copy this file to .env and remove the # before what you set: npm start and ./convexa
# read it there. What is set in the environment holds before it.
# Written by \`npm run docs:env\` from server/src/config/settings.ts; what is edited here is lost.
`

export function envExample(): string {
  const line = ([name, { default: value, en, bounds, secret }]: [string, Setting<unknown>]) => {
    const notes = [isComputed(value) && `default: ${value.en}`, bounds && `${bounds[0]} to ${bounds[1]}`, secret && 'secret'].filter(
      Boolean,
    )
    const given = written(value)
    const quoted = /^[\w./:,-]*$/.test(given) ? given : `'${given}'`
    return `# ${en}${notes.length ? ` (${notes.join('; ')})` : ''}\n#${name}=${quoted}`
  }
  return [header, ...settingGroups.map((group) => `## ${group.en}\n\n${rowsOf(group).map(line).join('\n')}\n`)].join('\n')
}

/** One table of Markdown for each group, in Chinese. */
function settingTables(): string {
  const line = ([name, { default: value, zh, bounds, secret }]: [string, Setting<unknown>]) => {
    const given = isComputed(value) ? value.zh : written(value) && `\`${written(value)}\``
    const range = bounds ? `取值 ${bounds[0]} 至 ${bounds[1]}。` : ''
    return `| \`${name}\` | ${given || '–'} | ${zh}${range}${secret ? '**保密。**' : ''} |`
  }
  const table = (group: (typeof settingGroups)[number]) =>
    `### ${group.zh}\n\n| 名称 | 默认值 | 说明 |\n|---|---|---|\n${rowsOf(group).map(line).join('\n')}`
  return settingGroups.map(table).join('\n\n')
}

/** The page with its tables made anew. @throws Error where a mark is missing */
export function withSettingTables(page: string): string {
  const [before, rest] = page.split(`${tableMarks.begin}\n`)
  const after = rest?.split(`\n${tableMarks.end}`)[1]
  if (after === undefined) throw new Error(`the page lacks ${tableMarks.begin} or ${tableMarks.end}`)
  return `${before}${tableMarks.begin}\n\n${settingTables()}\n\n${tableMarks.end}${after}`
}

import { checkUps } from './doctor/check-ups.ts'
import type { Finding } from './doctor/finding.ts'
import { openSite } from './doctor/site.ts'
import { exits, Stop } from './exits.ts'
import { answer } from './output.ts'

const labels: Readonly<Record<Finding['level'], string>> = { ok: '正常', note: '注意', fault: '错误' }

/** `convexa doctor`. @throws Stop 1 where something is wrong, 2 with `--strict` where something could be better */
export async function doctor({ strict }: { strict?: boolean }): Promise<void> {
  const site = await openSite(process.env)
  const found: { readonly name: string; readonly findings: readonly Finding[] }[] = []
  try {
    for (const { name, look } of checkUps) {
      const findings = await look(site).catch((error: unknown): readonly Finding[] => [
        { level: 'fault', text: `无法检查（${error instanceof Error ? error.message : String(error)}）` },
      ])
      found.push({ name, findings })
    }
  } finally {
    await site.close()
  }
  const all = found.flatMap(({ findings }) => findings)
  const count = (level: Finding['level']) => all.filter((each) => each.level === level).length
  const [faults, notes] = [count('fault'), count('note')]
  answer({ checks: found, faults, notes }, () =>
    [
      ...found.flatMap(({ name, findings }) => findings.flatMap((finding) => linesOf(name, finding))),
      '',
      `${found.length} 项检查：错误 ${faults} 处，注意 ${notes} 处`,
    ].join('\n'),
  )
  if (faults > 0) throw new Stop(exits.failed)
  if (strict && notes > 0) throw new Stop(exits.usage)
}

const linesOf = (name: string, { level, text, remedy }: Finding): readonly string[] => [
  `${labels[level]}  ${name}：${text}`,
  ...(remedy === undefined ? [] : [`      ${remedy}`]),
]

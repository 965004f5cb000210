import type { DataSheet, LostSource } from '@convexa/contract/data-sheet'
import { dataModes } from '@convexa/contract/enums/data-mode'
import type { Parameters } from '@convexa/contract/strategy'
import { dateTime } from '../../base/dates.ts'
import { percent } from '../../base/format.ts'
import { isFormula } from '../rule/factors.ts'

/** Status of the data for a rule: colour, word, and the reasons in sentences, the gravest first. */
export interface DataStatus {
  look: 'ok' | 'warn' | 'bad'
  word: string
  whys: readonly string[]
}

/** Share of securities with a value below which a factor is reported. */
const fewest = 0.9
/** Sources publish a day in its evening: until then one outstanding day is normal. */
const usuallyOutstanding = 1

/** The state of the data for a rule, `nameOf` its factors. */
export function dataStatusOf(sheet: DataSheet, nameOf: (ref: string) => string): DataStatus {
  const found = [...signsOf(sheet, nameOf)]
  const worst = found.find(({ look }) => look === 'bad') ?? found[0]
  const ordered = worst ? [worst, ...found.filter((one) => one !== worst)] : []
  return { look: worst?.look ?? 'ok', word: worst?.word ?? '数据正常', whys: ordered.map(({ why }) => why) }
}

interface Sign {
  look: 'warn' | 'bad'
  word: string
  why: string
}

function* signsOf(sheet: DataSheet, nameOf: (ref: string) => string): Generator<Sign> {
  const {
    factors,
    ingestion,
    behind,
    quotes,
    lost,
    open_parts: open,
    trade_date: day,
    data_mode: mode,
    calendar_expected: expected,
    damaged,
  } = sheet
  const gone = factors.filter(({ coverage, reason }) => reason !== null || coverage === 0)
  if (gone.length > 0)
    yield { look: 'bad', word: '因子缺失', why: `${gone.map(({ factor }) => `「${nameOf(factor)}」`).join('、')}在当前数据里没有值。` }
  if (damaged !== null) yield { look: 'bad', word: '数据损坏', why: `最新数据损坏，正在使用 ${day} 的数据（${damaged} 的文件无法读取）。` }
  if (quotes?.stale)
    yield { look: 'warn', word: '行情延迟', why: `实时行情停在 ${dateTime(quotes.quoted_at)}（${quotes.source}），之后没有更新。` }
  if (ingestion?.refused)
    yield { look: 'warn', word: '数据滞后', why: `${ingestion.refused} 的数据没有通过检查，未发布；仍用 ${day} 的数据。` }
  else if (ingestion && behind > usuallyOutstanding)
    yield { look: 'warn', word: '数据滞后', why: `数据截至 ${day}，之后已有 ${behind} 个交易日收盘。` }
  else if (!ingestion && behind > 0) yield { look: 'warn', word: '非最新', why: `导入的数据截至 ${day}，之后已有 ${behind} 个交易日收盘。` }
  if (open.length > 0)
    yield { look: 'warn', word: '数据未齐', why: `${day} 的${open.map(partWords).join('，')}，到齐前用推算值或沿用前一交易日。` }
  if (lost.length > 0)
    yield {
      look: 'warn',
      word: '数据源中断',
      why: `${alike(lost).map(lostWords).join('；')}。`,
    }
  const few = factors.filter(
    ({ coverage, reason, positive }) => reason === null && !positive && coverage !== null && coverage > 0 && coverage < fewest,
  )
  if (few.length > 0)
    yield {
      look: 'warn',
      word: '部分缺值',
      why: `${few.map(({ factor, coverage }) => `「${nameOf(factor)}」只有 ${percent(coverage, 0)} 的标的有值`).join('，')}。`,
    }
  if (mode === 'demo') yield { look: 'warn', word: dataModes.demo.label, why: '演示数据由模型模拟生成，非真实行情，不能用于交易。' }
  if (expected) yield { look: 'warn', word: '日历推定', why: expectedWords(mode) }
}

/** `复权因子有 119/120（缺 688101.SH）`. */
function partWords(part: DataSheet['open_parts'][number]): string {
  const { label, expected, found, codes } = part
  return found === 0 ? `${label}还没有` : `${label}有 ${found}/${expected}${codes.length > 0 ? `（缺 ${lackingCodes(part)}）` : ''}`
}

/** `920101.BJ、920102.BJ 等`: the server names some of them. */
export const lackingCodes = ({ expected, found, codes }: Pick<DataSheet['open_parts'][number], 'expected' | 'found' | 'codes'>): string =>
  codes.join('、') + (expected - found > codes.length ? ' 等' : '')

/** What is assumed of a year whose closed days are not known yet, and what waits for them. */
const expectedWords = (mode: DataSheet['data_mode']): string =>
  mode === 'demo'
    ? '今年的休市日尚未公布：演示行情把每个工作日都算作交易日（推定）。'
    : '今年的休市日尚未公布：交易日按工作日推定，公布前不采集行情，也不向终端提供清单。'

const faultWords: Readonly<Record<LostSource['fault'], string>> = {
  wait: '询问过于频繁，暂不应答',
  refused: '拒绝了请求',
  blocked: '拒绝本机的访问',
  banned: '账号已被禁用',
  tomorrow: '当日次数已用完',
  permission: '没有权限',
  credentials: '凭证无效',
  network: '未应答',
  shape: '应答无法识别',
}
/** `东方财富（转债日线、转债列表与条款）2026-11-20 16:30:00 未应答，改由文件提供`. */
const lostWords = ({ label, needs, since, fault, instead }: Silence): string =>
  `${label}（${needs.join('、')}）${dateTime(since)} ${faultWords[fault]}${instead === null ? '' : `，改由${instead}提供`}`

/** Needs that one source failed in one way. */
interface Silence extends Pick<LostSource, 'label' | 'fault' | 'instead' | 'since'> {
  needs: readonly string[]
}

/** Merges the needs that one source failed in the same way: a lost source fails all of them at once. Keeps the newest time. */
function alike(lost: readonly LostSource[]): Silence[] {
  const found = new Map<string, Silence>()
  for (const { label, fault, instead, need, since } of lost) {
    const key = JSON.stringify([label, fault, instead])
    const before = found.get(key) ?? { label, fault, instead, since, needs: [] }
    found.set(key, { ...before, since: since > before.since ? since : before.since, needs: [...before.needs, need] })
  }
  return [...found.values()]
}

/** Factors that a rule reads: enabled conditions and ranks, each once. */
export const refsOf = ({ filter_factors: filters, rank_factors: ranks }: Pick<Parameters, 'filter_factors' | 'rank_factors'>): string[] => [
  ...new Set([...filters, ...ranks].filter(({ enable }) => enable).map(({ factor_key: ref }) => ref)),
]

/** So long an address may be, and so many keys the server takes apart. */
const longest = 6_000
const most = 20

/** Refs as the call takes them: keys in one, formulas each alone; those that an address has no room for are not asked about. */
export function keysOf(refs: readonly string[]): string[] {
  const plain = refs.filter((ref) => !isFormula(ref)).join(',')
  const keys: string[] = plain ? [plain] : []
  let room = longest - encodeURIComponent(plain).length
  for (const ref of refs.filter(isFormula)) {
    room -= encodeURIComponent(ref).length
    if (room > 0 && keys.length < most) keys.push(ref)
  }
  return keys
}

// Shares of a group's members, in per cent as they are typed; they must sum to 100.

const fewestMembers = 2
export const mostMembers = 20

export interface Member {
  id: string
  name: string
  /** Per cent; null: the field is empty, NaN: it cannot be read. */
  share: number | null
}

/** A hundredth of a per cent is as fine as a share gets. */
const parts = 10_000
const inParts = (share: number | null) => Math.round((share || 0) * 100)

export const sumOf = (members: readonly Pick<Member, 'share'>[]): number =>
  members.reduce((sum, { share }) => sum + inParts(share), 0) / 100

/** Each in the proportion that it has, all together 100: what rounding leaves over goes to the largest remainders. Without any share all are equal. */
export function toHundred<Row extends Pick<Member, 'share'>>(members: readonly Row[]): Row[] {
  const given = members.map(({ share }) => Math.max(0, share || 0))
  const sum = given.reduce((all, one) => all + one, 0)
  const exact = given.map((one) => (sum > 0 ? (one / sum) * parts : parts / members.length))
  const floors = exact.map(Math.floor)
  const left = parts - floors.reduce((all, one) => all + one, 0)
  const order = exact.map((one, i) => ({ i, rest: one - Math.floor(one) })).sort((a, b) => b.rest - a.rest || a.i - b.i)
  const more = new Set(order.slice(0, left).map(({ i }) => i))
  return members.map((member, i) => ({ ...member, share: ((floors[i] ?? 0) + (more.has(i) ? 1 : 0)) / 100 }))
}

/** What is wrong with the members, in the words of the form; null: they can be saved. */
export function membersMistake(members: readonly Member[]): string | null {
  if (members.length < fewestMembers) return `成员至少 ${fewestMembers} 个`
  if (members.length > mostMembers) return `成员最多 ${mostMembers} 个`
  if (members.some(({ share }) => inParts(share) <= 0)) return '每个成员的资金占比须大于 0'
  const sum = sumOf(members)
  return inParts(sum) === parts ? null : `资金占比合计须为 100%（当前 ${Number(sum.toFixed(2))}%）`
}

/** As the wire has them: fractions that sum to 1 exactly enough. */
export const weightsOf = (members: readonly Member[]): { strategy_id: string; weight: number }[] =>
  members.map(({ id, share }) => ({ strategy_id: id, weight: inParts(share) / parts }))

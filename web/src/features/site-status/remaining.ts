import { shanghai } from '../../base/dates.ts'

/** `预计 2026-11-21 02:00 恢复（剩余 1 小时 12 分）`; a time that has passed is not counted on backwards. */
export function untilWords(until: string, now: number): string {
  const end = Date.parse(until)
  const { date, time } = shanghai(end)
  return `预计 ${date} ${time} 恢复（${remaining(end - now)}）`
}

const minute = 60_000

function remaining(milliseconds: number): string {
  if (milliseconds <= 0) return '已过预计时间，仍在进行'
  const minutes = Math.ceil(milliseconds / minute)
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60]
  const parts = [days && `${days} 天`, hours && `${hours} 小时`, rest && `${rest} 分`].filter(Boolean)
  return `剩余 ${parts.join(' ')}`
}

import { expect, it } from 'vitest'
import { closedWeekdaysIn, closedWeekdaysOf } from './calendar.ts'
import { readNotice } from './calendar-file.ts'

/** In the exchanges' way of writing; the days are those of the built-in table. */
const notice = `关于2026年部分节假日休市安排的通知
各会员单位：
现将2026年休市安排通知如下：
一、休市安排
（一）元旦：1月1日（星期四）至1月3日（星期六）休市，1月5日（星期一）起照常开市。另外，1月4日（星期日）为周末休市。
（二）春节：2月15日（星期日）至2月23日（星期一）休市，2月24日（星期二）起照常开市。另外，2月14日（星期六）、2月28日（星期六）为周末休市。
（三）清明节：4月4日（星期六）至4月6日（星期一）休市，4月7日（星期二）起照常开市。
（四）劳动节：5月1日（星期五）至5月5日（星期二）休市，5月6日（星期三）起照常开市。另外，5月9日（星期六）为周末休市。
（五）端午节：6月19日（星期五）至6月21日（星期日）休市，6月22日（星期一）起照常开市。
（六）中秋节：9月25日（星期五）至9月27日（星期日）休市，9月28日（星期一）起照常开市。
（七）国庆节：10月1日（星期四）至10月7日（星期三）休市，10月8日（星期四）起照常开市。另外，9月20日（星期日）、10月10日（星期六）为周末休市。
`
const read = (text: string, year = 2026) => {
  const found = readNotice(text, year)
  return found.ok ? closedWeekdaysIn(found.closed) : found.problems
}

it('reads the exchanges’ notice as it is', () => expect(read(notice)).toBe(closedWeekdaysOf(2026)))

it('reads a date or a range a line, in the ways in which people write them', () => {
  const text = `\ufeff# 2026-12-31 is not read\r
2026-01-01 至 2026-01-04   元旦\r
2/16 ~ 2/23
春节后 2月23日
4月4日到6日
2026年5月1日—5日
6月19号
9月25日（周五）--9月27日（周日）
10月1日至7日放假，9月20日、10月10日上班
2025-12-30 至 2026-01-02
`
  expect(read(text)).toBe(closedWeekdaysOf(2026))
})

it.each([
  ['a weekday that is another', '1月1日（星期五）休市', '第 1 行：“1月1日（星期五）”里的星期不对，2026-01-01 是星期四'],
  ['the end’s weekday', '\n1月1日至3日（周日）', '第 2 行：“1月1日至3日（周日）”里的星期不对，2026-01-03 是星期六'],
  ['a day that there is not', '2月30日', '第 1 行：“2月30日”里没有这一天'],
  ['a range backwards', '10月7日至1日', '第 1 行：“10月7日至1日”的结束早于开始'],
  ['a range that is a slip', '1月1日至3月1日', '第 1 行：“1月1日至3月1日”超过 16 天，请核对'],
  ['another year', '2025-10-01 至 2025-10-07', '第 1 行：“2025-10-01 至 2025-10-07”不在 2026 年'],
  ['the day of the letter', '元旦 1月1日\n2025年12月22日', '第 2 行：“2025年12月22日”不在 2026 年'],
  ['what is no date', '5月初一休市', '第 1 行：看不懂“5月初一休市”里的日期'],
  ['closed and open', '10月1日至8日休市，10月8日起照常开市', '第 1 行：2026-10-08 写明开市，却又在休市的日期里'],
  [
    'the day of the news',
    '12月22日，交易所发布关于2026年部分节假日休市安排的通知。',
    '第 1 行：“12月22日”没有写明是否休市，不是休市日的请删去',
  ],
  ['nothing', '# 还没有公布\n', '没有找到休市日期'],
])('says what it does not take: %s', (_case, text, problem) => expect(read(text)).toEqual([problem]))

it('names every line that is wrong', () => expect(read('2月30日\n1月1日\n13月1日')).toHaveLength(2))

/** How files write a trading day (data.md 3.1). Each writing is a text; `number` is the same as a number, for columns of numbers. */
export interface DateWriting {
  readonly name: string
  readonly text: (day: string) => string
  /** The value of a Parquet column and how the column is declared; null where the writing is a text only. */
  readonly parquet?: { readonly value: (day: string) => number | bigint; readonly type: ParquetType }
}

export type ParquetType = 'DATE' | 'INT32' | 'INT64' | 'DOUBLE' | `TIMESTAMP_${'MILLIS' | 'MICROS' | 'NANOS'}_${'UTC' | 'LOCAL'}`

const parts = (day: string) => day.split('-') as [year: string, month: string, date: string]
const short = (text: string) => String(Number(text))

const days: readonly (readonly [string, (day: string) => string])[] = [
  ['2024-01-02', (day) => day],
  [
    '2024/1/2',
    (day) =>
      parts(day)
        .map((part, k) => (k === 0 ? part : short(part)))
        .join('/'),
  ],
  ['2024/01/02', (day) => parts(day).join('/')],
  ['2024.01.02', (day) => parts(day).join('.')],
  ['20240102', (day) => parts(day).join('')],
  ['2024年1月2日', (day) => `${parts(day)[0]}年${short(parts(day)[1])}月${short(parts(day)[2])}日`],
]
const times = ['', ' 00:00:00', ' 0:00', ' 15:00:00', ' 15:00']
const isoTimes = ['T00:00:00', 'T15:00:00', 'T15:00:00.000', 'T00:00:00.000000000']

const shifted = (day: string, by: number): string => new Date(Date.parse(`${day}T00:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10)
/** Milliseconds since 1970 of an hour of the day in Shanghai. */
const instant = (day: string, hour: number): number => Date.parse(`${day}T00:00:00Z`) + (hour - 8) * 3_600_000

const instants: readonly (readonly [string, (day: string) => string])[] = [
  ['midnight with +0800', (day) => `${day}T00:00:00.000+0800`],
  ['midnight with +08:00', (day) => `${day} 00:00:00+08:00`],
  ['15:00 with +08:00', (day) => `${day}T15:00:00+08:00`],
  ['midnight of Shanghai in Z', (day) => `${shifted(day, -1)}T16:00:00Z`],
  ['midnight of Shanghai in Z with thousandths', (day) => `${shifted(day, -1)}T16:00:00.000Z`],
  ['15:00 of Shanghai in Z', (day) => `${day}T07:00:00Z`],
  ['midnight of UTC in Z', (day) => `${day}T00:00:00Z`],
]

const serial = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 86_400_000 + 25_569

const numbers: DateWriting[] = [
  {
    name: 'eight digits',
    text: (day) => day.replaceAll('-', ''),
    parquet: { type: 'INT64', value: (day) => BigInt(day.replaceAll('-', '')) },
  },
  {
    name: 'eight digits, 32 bits',
    text: (day) => day.replaceAll('-', ''),
    parquet: { type: 'INT32', value: (day) => Number(day.replaceAll('-', '')) },
  },
  ...[0, 15].flatMap((hour): DateWriting[] => [
    {
      name: `milliseconds at ${hour}`,
      text: (day) => String(instant(day, hour)),
      parquet: { type: 'INT64', value: (day) => BigInt(instant(day, hour)) },
    },
    {
      name: `seconds at ${hour}`,
      text: (day) => String(instant(day, hour) / 1_000),
      parquet: { type: 'INT64', value: (day) => BigInt(instant(day, hour) / 1_000) },
    },
  ]),
  { name: 'Excel serials', text: (day) => String(serial(day)), parquet: { type: 'INT64', value: (day) => BigInt(serial(day)) } },
]

/** Columns of a type of their own, of Parquet alone. */
const typed: DateWriting[] = [
  { name: 'type date', text: (day) => day, parquet: { type: 'DATE', value: (day) => Date.parse(`${day}T00:00:00Z`) / 86_400_000 } },
  ...(['MILLIS', 'MICROS', 'NANOS'] as const).flatMap((unit, k): DateWriting[] => {
    const scaled = (millis: number) => BigInt(millis) * [1n, 1_000n, 1_000_000n][k]!
    return [
      ...[0, 9, 15].map(
        (hour): DateWriting => ({
          name: `instants in ${unit} at ${hour}`,
          text: (day) => day,
          parquet: { type: `TIMESTAMP_${unit}_UTC`, value: (day) => scaled(instant(day, hour)) },
        }),
      ),
      ...[0, 15].map(
        (hour): DateWriting => ({
          name: `stamps without a zone in ${unit} at ${hour}`,
          text: (day) => day,
          // What such a column counts is the wall clock as if it were UTC.
          parquet: { type: `TIMESTAMP_${unit}_LOCAL`, value: (day) => scaled(instant(day, hour + 8)) },
        }),
      ),
    ]
  }),
]

/** Writings that must be read, as texts; any of them may be mixed with any other. */
export const dateTexts: readonly DateWriting[] = [
  ...days.flatMap(([name, write]) => times.map((time): DateWriting => ({ name: `${name}${time}`, text: (day) => `${write(day)}${time}` }))),
  ...isoTimes.map((time): DateWriting => ({ name: `2024-01-02${time}`, text: (day) => `${day}${time}` })),
  ...instants.map(([name, text]): DateWriting => ({ name, text })),
]
/** Writings that must be read, as numbers of a text or of a column. */
export const dateNumbers: readonly DateWriting[] = numbers
export const dateTypes: readonly DateWriting[] = typed

/** Writings that nobody can read: which of the two is the month, which century, which year. */
export const unreadableDates: readonly DateWriting[] = [
  { name: '1/2/2024', text: (day) => `${short(parts(day)[1])}/${short(parts(day)[2])}/${parts(day)[0]}` },
  { name: 'Jan 2', text: (day) => new Date(`${day}T00:00:00Z`).toUTCString().slice(5, 11) },
  {
    name: 'days since 1970',
    text: (day) => String(serial(day) - 25_569),
    parquet: { type: 'INT64', value: (day) => BigInt(serial(day) - 25_569) },
  },
  { name: 'words', text: () => '周二' },
  { name: 'a day that is none', text: (day) => `${day.slice(0, 5)}13-45` },
]

/** Days that no market file of this calendar has; one of them refuses the file. */
export const daysOutside = ['1989-12-29', '2041-01-02', '2094-01-04', '1970-01-02']

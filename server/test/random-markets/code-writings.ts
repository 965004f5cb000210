/** How files write the code of a security (data.md 3.1). `code` is ours, `600001.SH`. */
export interface CodeWriting {
  readonly name: string
  readonly text: (code: string) => string
  /** A spreadsheet's text that must not be quoted once more where the file is CSV. */
  readonly isBare?: true
}

const number = (code: string) => code.slice(0, 6)
const exchange = (code: string) => code.slice(7)
const wide = (text: string) => text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))
const market = (code: string) => (exchange(code) === 'SH' ? '1' : '0')
const joinQuant: Readonly<Record<string, string>> = { SH: 'XSHG', SZ: 'XSHE', BJ: 'BJ' }
const yahoo: Readonly<Record<string, string>> = { SH: 'SS', SZ: 'SZ', BJ: 'BJ' }

/** Writings that must be read; any of them may be mixed with any other. */
export const codeTexts: readonly CodeWriting[] = [
  { name: '600001.SH', text: (code) => code },
  { name: '600001.sh', text: (code) => code.toLowerCase() },
  { name: '600001', text: number },
  { name: '600001.SS', text: (code) => `${number(code)}.${yahoo[exchange(code)]}` },
  { name: '600001.XSHG', text: (code) => `${number(code)}.${joinQuant[exchange(code)]}` },
  { name: 'sh600001', text: (code) => `${exchange(code).toLowerCase()}${number(code)}` },
  { name: 'SH600001', text: (code) => `${exchange(code)}${number(code)}` },
  { name: 'sh.600001', text: (code) => `${exchange(code).toLowerCase()}.${number(code)}` },
  { name: 'SH 600001', text: (code) => `${exchange(code)} ${number(code)}` },
  { name: '1.600001', text: (code) => `${market(code)}.${number(code)}` },
  { name: 'lost zeros', text: (code) => String(Number(number(code))) },
  { name: 'full width', text: (code) => wide(number(code)) },
  { name: 'full width with suffix', text: (code) => wide(code) },
  { name: "'600001", text: (code) => `'${number(code)}` },
  { name: '="600001"', text: (code) => `="${number(code)}"` },
  { name: '="600001" unquoted', text: (code) => `="${number(code)}"`, isBare: true },
  { name: 'blanks around', text: (code) => ` ${code} ` },
]

export const unreadableCodes: readonly CodeWriting[] = [
  {
    name: '6.00001E+05',
    text: (code) =>
      `${(Number(number(code)) / 10 ** (String(Number(number(code))).length - 1)).toFixed(5)}E+0${String(Number(number(code))).length - 1}`,
  },
  { name: 'a name', text: () => '某某股份' },
  { name: 'seven digits', text: (code) => `6${number(code)}` },
]

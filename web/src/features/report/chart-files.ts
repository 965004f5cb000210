import { fileWord } from '../../base/file-word.ts'
import { csv, type SheetCell } from '../../ui/table/sheet.ts'
import { demoNotice } from './files.ts'

/** What a chart's card needs so that its picture and its numbers can be saved: both say what they are of, and that they are demo data. */
export function chartFiles(
  { name, title, terms = [], demo }: { name: string; title: string; terms?: readonly string[]; demo: boolean },
  numbers: () => readonly (readonly SheetCell[])[],
) {
  return {
    pictured: true,
    fileName: [fileWord(name), title, ...(demo ? ['演示'] : [])].join('_'),
    caption: [`${name} · ${title}`, [...terms, ...(demo ? ['演示数据，非真实行情'] : [])].join(' · ')],
    csv: () => csv([...(demo ? [[demoNotice]] : []), ...numbers()]),
  }
}

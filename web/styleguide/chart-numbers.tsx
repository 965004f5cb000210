import { ScrollBox } from '../src/ui/chart/scroll-box.tsx'

export const made = '编造的数字，只为看样子'
export const watermark = '演示数据'
export const height = 260

/** The same numbers as a table. */
export function Numbers({ label, heads, rows }: { label: string; heads: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    <ScrollBox label={label} className="chart-table">
      <table className="table compact">
        <thead>
          <tr>
            {heads.map((head, i) => (
              <th key={head} className={i > 0 ? 'number' : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row[0]}>
              {row.map((cell, i) => (
                <td key={heads[i]} className={i > 0 ? 'number' : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

import { Icon } from '../icon.tsx'
import './filter-chips.css'

export interface FilterChip {
  key: string
  label: string
  remove(): void
}

/** The filters in force under the head of a table, each with its own way out; nothing while there is none. */
export const FilterChips = ({ chips, onClear }: { chips: readonly FilterChip[]; onClear: () => void }) =>
  chips.length > 0 && (
    <fieldset className="filter-chips" aria-label="筛选条件">
      {chips.map(({ key, label, remove }) => (
        <span className="tag" key={key}>
          {label}
          <button type="button" aria-label={`移除筛选 ${label}`} onClick={remove}>
            <Icon name="cross" size="small" />
          </button>
        </span>
      ))}
      {chips.length > 1 && (
        <button type="button" className="link size-12" onClick={onClear}>
          全部清除
        </button>
      )}
    </fieldset>
  )

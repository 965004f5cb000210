import { Icon } from '../../../ui/icon.tsx'
import { Badge } from '../../../ui/tag.tsx'
import type { ChipWords } from './verdict-text.ts'

export const Chip = ({ chip: { text, look, icon } }: { chip: ChipWords }) => (
  <Badge look={look === 'outlined' ? 'plain' : look}>
    {icon === 'down' ? <i aria-hidden="true">▼</i> : icon && <Icon name={icon} size="small" />}
    {text}
  </Badge>
)

/** Both answers in short, for lists and cards. */
export const Chips = ({ chips }: { chips: readonly [ChipWords, ChipWords] }) => (
  <span className="verdict-chips">
    <Chip chip={chips[0]} />
    <Chip chip={chips[1]} />
  </span>
)

import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Row } from '../../../ui/layout.tsx'
import { PageLink } from '../../../ui/page-link.tsx'
import { copyText } from '../../../ui/table/sheet.ts'
import { toast } from '../../../ui/toast.tsx'
import styles from './profile.module.css'

/** One line of the profile: what, how it stands, and what can be done. On the phone the whole line is its link. */
export function SettingRow({ name, children, acts }: { name: string; children?: ReactNode; acts?: ReactNode }) {
  return (
    <Row as="li" gap={12} className={styles.setting}>
      <span className={styles.settingName}>{name}</span>
      <Row as="span" wrap className={styles.settingValue}>
        {children}
      </Row>
      {acts && <span className={styles.settingActs}>{acts}</span>}
    </Row>
  )
}

/** What leads on from a line; `of` completes its name for a reader. */
export const SettingLink = ({ to, children, of }: { to: string; children: ReactNode; of: string }) => (
  <PageLink className={`button small ${styles.settingLink}`} to={to}>
    {children}
    <span className="hidden-text">{of}</span>
    <Icon name="right" size="small" />
  </PageLink>
)

export function CopyButton({ text, name }: { text: string; name: string }) {
  const copy = async () => ((await copyText(text)) ? toast.done(`已复制${name}`) : toast.error('浏览器不允许复制，请手动选择'))
  return (
    <Button look={['small', 'ghost']} aria-label={`复制${name}`} onClick={copy}>
      复制
    </Button>
  )
}

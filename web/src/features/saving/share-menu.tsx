import { useMarket } from '../../market/market-context.tsx'
import type { Draft } from '../../state/drafts.ts'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { copyText } from '../../ui/table/sheet.ts'
import { toast } from '../../ui/toast.tsx'
import { jsonOf, packed, sharedOf } from './shared-draft.ts'

/** The rule as a link or as JSON, and JSON back into a rule. Neither holds anything of the account. */
export function ShareMenu({ draft, onImport }: { draft: Draft; onImport: () => void }) {
  const choices = useShareItems(draft, onImport)
  return (
    <Menu
      align="right"
      className="button small"
      button={
        <>
          <Icon name="share" size="middle" />
          分享
          <Icon name="down" size="small" />
        </>
      }
      choices={choices}
    />
  )
}

export function useShareItems(draft: Draft, onImport: () => void) {
  const market = useMarket()
  const copied = async (text: string, done: string) => {
    if (await copyText(text)) toast.done(done)
    else toast.error('浏览器不允许复制')
  }
  const link = async () => {
    const s = await packed(sharedOf(market.id, draft))
    await copied(`${location.origin}${market.path}/screen?s=${s}`, '已复制参数链接，打开它即可看到同一套条件')
  }
  return [
    { label: '复制参数链接', run: () => void link() },
    { label: '复制参数 JSON', run: () => void copied(jsonOf(sharedOf(market.id, draft)), '已复制参数 JSON') },
    { label: '粘贴 JSON 导入', run: onImport },
  ]
}

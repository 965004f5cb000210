import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { App } from '../../../test/components/app.tsx'
import { scriptedApi } from '../../../test/components/scripted-api.ts'
import { RiskDialog } from './risk-dialog.tsx'

it('我已读完 can be pressed once the end of the text was in sight', async () => {
  scriptedApi()
  const read = vi.fn()
  await render(
    <App>
      <RiskDialog onRead={read} onClose={() => {}} />
    </App>,
  )
  const done = page.getByRole('button', { name: '我已读完' })
  await expect.element(done).toBeDisabled()
  page.getByText('全文完').element().scrollIntoView()
  await expect.element(page.getByRole('status').getByText('已读到最后')).toBeVisible()
  await done.click()
  expect(read).toHaveBeenCalledOnce()
})

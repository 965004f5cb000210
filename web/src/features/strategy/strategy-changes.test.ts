// isolated: stubs globals
import { expect, it, vi } from 'vitest'
import { memoryStorage } from '../../../test/storage.ts'
import type { Draft } from '../../state/drafts.ts'

vi.stubGlobal('localStorage', memoryStorage())
vi.stubGlobal('sessionStorage', memoryStorage())
const sent: unknown[] = []
let answer: object = { code: 0, msg: '', data: {} }
vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
  sent.push(JSON.parse(body))
  return Response.json(answer)
})
const { copyName, describeStrategy, renameStrategy } = await import('./strategy-changes.ts')
const { useStrategies } = await import('../../state/drafts.ts')

it('tags and remark are sent without each other: what is not changed here may be newer on the server', async () => {
  const strategy = { id: 'a', remark: '旧', tags: ['双低'] }
  await describeStrategy('cb', strategy, { tags: ['低波'] })
  await describeStrategy('cb', strategy, { remark: '新' })
  expect(sent.splice(0)).toEqual([{ tags: ['低波'] }, { remark: '新' }])
})

it('a strategy that is renamed has its new name on the workbench too, and the old one back when it is refused', async () => {
  const nameOf = () => useStrategies.getState().drafts.cb?.name
  useStrategies.getState().set('cb', { name: '旧名', edited: false, saved: { id: 'a', version: 1 } } as Draft)
  await renameStrategy('cb', { id: 'b', strategy_name: '旧名' }, '另一个')
  expect(nameOf()).toBe('旧名')
  await renameStrategy('cb', { id: 'a', strategy_name: '旧名' }, '新名')
  expect(nameOf()).toBe('新名')
  answer = { code: 21003, msg: '名称已存在', data: null }
  await expect(renameStrategy('cb', { id: 'a', strategy_name: '新名' }, '又一个')).rejects.toThrow('名称已存在')
  expect(nameOf()).toBe('新名')
})

it.each([
  ['双低10', [], '双低10 副本'],
  ['双低10', ['双低10 副本'], '双低10 副本 2'],
  ['ABC', ['abc 副本', 'ABC 副本 2'], 'ABC 副本 3'],
  ['长'.repeat(50), [], `${'长'.repeat(44)} 副本`],
])('a copy of %s beside %j is called %s', (name, taken, copy) => expect(copyName(name, taken)).toBe(copy))

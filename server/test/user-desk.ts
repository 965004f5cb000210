// Makes accounts for journeys as `convexa user create` does, in one process that stays: to start one is most of what an account costs.
// POST { address, nickname, password } → 200, or 409 where the address has an account. Prints where it listens.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onGround } from '../src/cli/ground.ts'
import { createUser } from '../src/user/administration.ts'

await onGround('database', async (ground) => {
  const server = createServer(async (request, response) => {
    const made = await createUser(ground, JSON.parse(await text(request)))
    response.writeHead(made ? 200 : 409).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await new Promise(() => {})
}).catch(() => {})
process.exit()

// What journeys need of an operator and of time, in one process that stays: to start one is most of what an account costs.
// POST / { address, nickname, password } makes an account as `convexa user create` does → 200, or 409 where the address has one.
// POST /later { address, seconds } lets the orders of an account grow older. Prints where it listens.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { withCommandContext } from '../src/cli/command-context.ts'
import { createUser, findUser } from '../src/user/administration.ts'
import { letOrdersAge } from './orders.ts'

await withCommandContext('database', async (deps) => {
  const server = createServer(async (request, response) => {
    const asked = JSON.parse(await text(request))
    if (request.url === '/later') {
      const user = await findUser(deps, asked.address)
      if (user) await letOrdersAge(deps.db, asked.seconds, user)
      return response.writeHead(user ? 200 : 404).end()
    }
    const made = await createUser(deps, asked)
    return response.writeHead(made ? 200 : 409).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await new Promise(() => {})
}).catch(() => {})
process.exit()

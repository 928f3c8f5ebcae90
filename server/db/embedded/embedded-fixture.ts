// A process that tests kill: `node embedded-fixture.ts start|attach <dataDir>`. It prints one line of JSON (the
// connection, or the error). If it has a server, it runs until SIGTERM.
import { attachOrStartEmbedded, startEmbedded } from '../embedded.ts'

const [mode, dataDir = ''] = process.argv.slice(2)
const notices: string[] = []
const options = {
  dataDir,
  onNotice: (line: string) => void notices.push(line),
  settings: { fsync: 'off', shared_buffers: '16MB' },
}

try {
  const server = await (mode === 'attach' ? attachOrStartEmbedded(options) : startEmbedded(options))
  process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)))
  // Keeps the process running, also when it is only attached.
  setInterval(() => undefined, 60_000)
  console.log(JSON.stringify({ owned: server.owned, connection: server.administration('postgres'), notices }))
} catch (error) {
  console.log(JSON.stringify({ error: String(error), notices }))
}

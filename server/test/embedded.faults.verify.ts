// The faults of the embedded server itself, under the load of the ledger, held against what external.faults.verify.ts is.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskFaults, embeddedFaults } from './faults/embedded-faults.ts'
import { type EmbeddedStage, mayMountDisk, openEmbeddedStage } from './faults/embedded-stage.ts'
import { endure, LASTS_MS, REST_MS, settleAccounts } from './faults/fault.ts'
import { ONLY, SECRETS_KEY, SEED } from './faults/options.ts'
import { createLives } from './ledger/life.ts'
import { startReceiver } from './receiver.ts'

const lives = createLives()
const onSmallDisk = mayMountDisk()
if (!onSmallDisk)
  process.stdout.write(
    'faults: "disk full" is left out: this account may not mount a disk of its own (unshare --user --mount)\n',
  )
const possible = onSmallDisk ? [...embeddedFaults, ...diskFaults] : embeddedFaults
const chosen = possible.filter(({ name }) => name.includes(ONLY))

describe.runIf(chosen.length > 0)(`the embedded server under load (seed ${SEED})`, () => {
  let stage: EmbeddedStage
  beforeAll(async () => {
    const receiver = await startReceiver({ isRecording: false })
    afterAll(() => receiver.close())
    stage = await openEmbeddedStage({ lives, receiver, secretsKey: SECRETS_KEY, seed: SEED }, { onSmallDisk })
  })
  afterAll(async () => {
    await stage?.close()
    await lives.killAll()
  })

  test.each(chosen)(
    '$name: requests are answered in time, and all works again',
    async (fault) => {
      await endure(stage, fault)
    },
    LASTS_MS + 180_000,
  )

  test('nothing acknowledged is lost, nothing is done twice', () => settleAccounts(stage), REST_MS + 60_000)

  test('the service was not ended by any of them', async () => {
    expect(await stage.life.stop()).toBe(0)
  })
})

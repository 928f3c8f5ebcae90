// Faults of the embedded server itself, under the load of the ledger, with the checks of external.faults.verify.ts.
import { beforeAll, describe, expect, test } from 'vitest'
import { afterFile } from './after-file.ts'
import { embeddedFaults } from './faults/embedded-faults.ts'
import { type EmbeddedStage, mayMountDisk, nearlyFull, openEmbeddedStage } from './faults/embedded-stage.ts'
import { endure, LASTS_MS, REST_MS, settleAccounts } from './faults/fault.ts'
import { ONLY, SECRETS_KEY, SEED } from './faults/options.ts'
import { createLives } from './ledger/life.ts'
import { startReceiver } from './receiver.ts'

const lives = createLives()
const onSmallDisk = mayMountDisk()
if (!onSmallDisk)
  process.stdout.write(
    'faults: this account may not mount a small disk (unshare --user --mount): DISK_FREE_MIN_BYTES makes this one small\n',
  )
const chosen = embeddedFaults.filter(({ name }) => name.includes(ONLY))

describe.runIf(chosen.length > 0)(`the embedded server under load (seed ${SEED})`, () => {
  let stage: EmbeddedStage
  beforeAll(async () => {
    afterFile(lives.killAll)
    const receiver = await startReceiver({ isRecording: false })
    const setting = { lives, receiver, secretsKey: SECRETS_KEY, seed: SEED }
    const more = onSmallDisk ? {} : await nearlyFull()
    stage = await openEmbeddedStage(setting, { onSmallDisk, more })
  })

  test.each(chosen)(
    '$name: requests are answered in time, and the service recovers',
    async (fault) => {
      await endure(stage, fault)
    },
    LASTS_MS + 180_000,
  )

  test(
    'no acknowledged change is lost, nothing is executed twice',
    () => settleAccounts(stage),
    REST_MS + 60_000,
  )

  test('no fault ended the service', async () => {
    expect(await stage.life.stop()).toBe(0)
  })
})

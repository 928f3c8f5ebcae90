// A worker that executes workflows until it is killed.

import { readConfig } from '../../server/config/config.ts'
import { openContext } from '../../server/entry/open-context.ts'
import { createLog } from '../../server/operations/log.ts'
import { createWorkflowEngine } from '../../server/workflows/engine/engine.ts'
import { answerMessages } from '../harness/partner.ts'

answerMessages(async ({ dataDir }: { dataDir: string }) => {
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error', EGRESS_ALLOW_PRIVATE: 'true' })
  const log = createLog(config)
  const { ctx, enginePool } = await openContext(config, { mode: 'attach', log, onNotice: () => undefined })
  createWorkflowEngine(ctx, { queue: enginePool }).start()
  return { started: true }
})

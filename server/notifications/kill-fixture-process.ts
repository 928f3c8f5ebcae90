// A notification consumer that is killed at one of its transactions.
import { type Death, liveFor, mortality } from '../test/mortal-process.ts'
import { createNotificationConsumer } from './consumer.ts'

await liveFor<Death>((task, { ctx, enginePool }) =>
  createNotificationConsumer(ctx, mortality(task)(enginePool)).drain(),
)

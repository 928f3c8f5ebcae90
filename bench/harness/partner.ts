// The message loop of a process that `startPartner` started.

/** Answers each message, with `{ error }` on failure. The process ends when the channel closes. */
export function answerMessages<Question>(answer: (question: Question) => Promise<object>): void {
  process.on('message', async (question: Question) => {
    const failed = (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) })
    process.send?.(await answer(question).catch(failed))
  })
  process.on('disconnect', () => process.exit())
  process.on('SIGTERM', () => process.exit())
}

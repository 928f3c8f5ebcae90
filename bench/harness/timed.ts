export async function timed<Result>(
  work: () => Promise<Result>,
): Promise<{ seconds: number; result: Result }> {
  const startedAt = performance.now()
  const result = await work()
  return { seconds: (performance.now() - startedAt) / 1000, result }
}

export async function unlinkRecords(): Promise<void> {}

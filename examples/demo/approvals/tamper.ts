import pg from 'pg';

/**
 * Changes the amount in the stored proposal of an approval, as somebody with access to the database could.
 *
 * @throws Error if the approval is not stored yet
 */
export async function alterProposal(databaseUrl: string, approvalId: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      `update approvals set proposed = jsonb_set(proposed::jsonb, '{calls,0,arguments,amount}', '9999'),
         record = jsonb_set(record::jsonb, '{proposal,calls,0,arguments,amount}', '9999') where id = $1`,
      [approvalId],
    );
    if (rowCount === 0) throw new Error(`approval ${approvalId} is not stored`);
  } finally {
    await client.end();
  }
}

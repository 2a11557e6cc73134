/** Questions of each kind, with texts as agents write them. The tests and the pictures of the documentation ask them. */
export const QUESTIONS = {
  choice: {
    question: 'Refund order #48213 in full?',
    response_type: 'choice',
    choices: [
      {
        value: 'full',
        label: 'Refund in full',
        description: '€ 129.50 to the card',
        style: 'primary',
      },
      { value: 'half', label: 'Refund half', description: '€ 64.75, as agreed for opened boxes' },
      {
        value: 'refuse',
        label: 'Refuse and close',
        description: 'The customer is told',
        style: 'danger',
      },
    ],
    context: {
      customer: 'Marta Keller, customer since 2019',
      reason: 'The parcel arrived with a broken seal. Photos are in the ticket.',
      ticket: 'https://support.example.com/t/48213',
      order: { number: '48213', total: '€ 129.50', paid_by: 'card' },
    },
    timeout_seconds: 5_400,
    on_behalf_of: 'ursula',
  },
  confirm: {
    question: 'Send the price change to 1,240 customers tonight?',
    response_type: 'confirm',
    context: { list: 'Newsletter EU', sends_at: '22:00 UTC', last_change: '3 months ago' },
    timeout_seconds: 840,
  },
  text: {
    question: 'What should the reply to the complaint of Northwind say?',
    response_type: 'text',
    context: { complaint: 'Two deliveries were late in a row, and nobody answered the phone.' },
    timeout_seconds: 14_400,
  },
  form: {
    question: 'Which supplier replaces Acme for valve V-17?',
    response_type: 'form',
    context: { part: 'Valve V-17', needed: '400 pieces by 12 December' },
    response_schema: {
      type: 'object',
      properties: {
        supplier: { type: 'string', title: 'Supplier', enum: ['Borealis', 'Hartmann', 'Tanaka'] },
        pieces: { type: 'integer', title: 'Pieces', minimum: 1, maximum: 400 },
        express: { type: 'boolean', title: 'Send by express', default: false },
        note: { type: 'string', title: 'Note to the supplier', maxLength: 200 },
      },
      required: ['supplier', 'pieces'],
    },
    timeout_seconds: 86_400,
  },
  release: {
    question: 'Release version 4.2 of the shop tonight?',
    response_type: 'confirm',
    context: {
      window: '2026-12-01T21:00:00Z',
      services: [
        { service: 'checkout', version: '4.2.0', errors: 0, tested: true },
        { service: 'search', version: '4.2.0', errors: 2, tested: true },
        { service: 'mail', version: '4.1.7', errors: 0 },
      ],
      change: [
        '--- a/config/checkout.yaml',
        '+++ b/config/checkout.yaml',
        '@@ -12,4 +12,4 @@ payment:',
        '   provider: adyen',
        '-  timeout: 30s',
        '-  retries: 1',
        '+  timeout: 10s',
        '+  retries: 3',
        '   currency: EUR',
      ].join('\n'),
      rollback: 'if errors > 1 %:\n    deploy checkout 4.1.7\n    tell on-call',
    },
    timeout_seconds: 7_200,
  },
} as const;

/** The schema of the arguments of a transfer. */
export const TRANSFER_SCHEMA = {
  type: 'object',
  properties: {
    to: { type: 'string', title: 'Account', maxLength: 34 },
    amount: { type: 'integer', title: 'Amount', minimum: 1, maximum: 20_000 },
    currency: { enum: ['EUR', 'USD'] },
    purpose: { type: 'string', title: 'Purpose', maxLength: 140 },
  },
  required: ['to', 'amount'],
} as const;

/** A configuration with which calls of some tools need one person, or two. */
export const APPROVALS = {
  approvals: {
    rules: [
      {
        tool: 'payments.transfer',
        verdict: 'escalate',
        route: 'dual_approval',
        risk_class: 'high',
      },
      { tool: '*', verdict: 'escalate', route: 'human_required', risk_class: 'medium' },
    ],
  },
};

/** A call that two people have to approve. */
export const TRANSFER = {
  run_id: 'run-transfer',
  calls: [
    {
      id: 'call-1',
      tool: 'payments.transfer',
      arguments: {
        to: 'DE89 3704 0044 0532 0130 00',
        amount: 18_400,
        currency: 'EUR',
        purpose: 'Invoice 2291',
      },
    },
  ],
  prompt: 'Transfer € 18,400 to Hartmann GmbH?',
  visible_context: { invoice: '2291', due: '30 November', order: 'Valves V-17, 400 pieces' },
} as const;

/** A call that one person approves. */
export const MAIL = {
  run_id: 'run-mail',
  calls: [
    {
      id: 'call-1',
      tool: 'mail.send',
      arguments: {
        to: 'all-customers@example.com',
        subject: 'New prices from 1 January',
        body: 'Dear customer, our prices change.',
      },
    },
  ],
  prompt: 'Send this mail to all customers?',
} as const;

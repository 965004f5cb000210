/** Said wherever results are shown. */
export const riskSentence = '历史回测不代表未来收益；本站只提供数据统计与工具，不构成投资建议。'

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Fabricwright</source>
        <translation>关于 Fabricwright</translation>
    </message>
    <message>
        <source>Drawing board for AI training clusters: draw it, check it, predict it, order it.</source>
        <translation>AI 训练集群的设计绘图板：绘制、检查、预测、采购。</translation>
    </message>
    <message>
        <source>Fabricwright is free software under the Apache License 2.0. It uses Qt, PySide6 and Shiboken, unchanged, under the GNU Lesser General Public License, version 3. These libraries lie as separate files in the program&apos;s folder and may be exchanged for versions of your own.</source>
        <translation>Fabricwright 是基于 Apache License 2.0 的自由软件。程序使用未经修改的 Qt、PySide6 和 Shiboken，它们遵循 GNU 宽通用公共许可证第 3 版。这些库以独立文件的形式位于程序文件夹中，可替换为您自己的版本。</translation>
    </message>
    <message>
        <source>Licence of</source>
        <translation>许可证归属</translation>
    </message>
    <message>
        <source>Licence text</source>
        <translation>许可证文本</translation>
    </message>
    <message>
        <source>An installed program shows the licence texts of all its parts here.</source>
        <translation>安装后的程序会在此显示所有组成部分的许可证文本。</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Insert</source>
        <translation>插入(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Arrange</source>
        <translation>排列(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Check</source>
        <translation>检查(&amp;C)</translation>
    </message>
    <message>
        <source>A&amp;nalyse</source>
        <translation>分析(&amp;N)</translation>
    </message>
    <message>
        <source>E&amp;xport</source>
        <translation>导出(&amp;X)</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>窗口(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>新建工程</translation>
    </message>
    <message>
        <source>New from template…</source>
        <translation>从模板新建…</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Close project</source>
        <translation>关闭工程</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>剪切</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Paste in place</source>
        <translation>原位粘贴</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>创建副本</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Properties</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Select</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Select and move</source>
        <translation>选择与移动</translation>
    </message>
    <message>
        <source>Draw links</source>
        <translation>画链路</translation>
    </message>
    <message>
        <source>Draw links between ports</source>
        <translation>在端口之间画链路</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>连线</translation>
    </message>
    <message>
        <source>Cancel the gesture</source>
        <translation>取消当前操作</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Zoom to 100 %</source>
        <translation>缩放到 100 %</translation>
    </message>
    <message>
        <source>Fit the sheet</source>
        <translation>适合图纸页</translation>
    </message>
    <message>
        <source>Fit the selection</source>
        <translation>适合所选</translation>
    </message>
    <message>
        <source>Link load</source>
        <translation>链路负载</translation>
    </message>
    <message>
        <source>Colour links by their load</source>
        <translation>按负载给链路着色</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>热力图</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Minimap</source>
        <translation>缩略图</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>Open the part</source>
        <translation>打开部件</translation>
    </message>
    <message>
        <source>Back to the enclosing sheet</source>
        <translation>返回上一级图纸页</translation>
    </message>
    <message>
        <source>Select the next part</source>
        <translation>选择下一个部件</translation>
    </message>
    <message>
        <source>Select the previous part</source>
        <translation>选择上一个部件</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>全屏</translation>
    </message>
    <message>
        <source>Place a part…</source>
        <translation>放置部件…</translation>
    </message>
    <message>
        <source>Link the selection…</source>
        <translation>连接所选…</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>成组</translation>
    </message>
    <message>
        <source>Ungroup</source>
        <translation>取消成组</translation>
    </message>
    <message>
        <source>Align left edges</source>
        <translation>左对齐</translation>
    </message>
    <message>
        <source>Align right edges</source>
        <translation>右对齐</translation>
    </message>
    <message>
        <source>Align top edges</source>
        <translation>顶端对齐</translation>
    </message>
    <message>
        <source>Align bottom edges</source>
        <translation>底端对齐</translation>
    </message>
    <message>
        <source>Equal horizontal gaps</source>
        <translation>水平等距</translation>
    </message>
    <message>
        <source>Equal vertical gaps</source>
        <translation>垂直等距</translation>
    </message>
    <message>
        <source>Tidy up the sheet</source>
        <translation>整理图纸页</translation>
    </message>
    <message>
        <source>Check now</source>
        <translation>立即检查</translation>
    </message>
    <message>
        <source>Next problem</source>
        <translation>下一个问题</translation>
    </message>
    <message>
        <source>Previous problem</source>
        <translation>上一个问题</translation>
    </message>
    <message>
        <source>Fix the chosen problem</source>
        <translation>修复所选问题</translation>
    </message>
    <message>
        <source>Approve the chosen problem…</source>
        <translation>批准所选问题…</translation>
    </message>
    <message>
        <source>Predict now</source>
        <translation>立即预测</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Restart the analysis</source>
        <translation>重启分析</translation>
    </message>
    <message>
        <source>Diagram…</source>
        <translation>拓扑图…</translation>
    </message>
    <message>
        <source>Bill of materials…</source>
        <translation>物料清单…</translation>
    </message>
    <message>
        <source>Cable schedule…</source>
        <translation>线缆表…</translation>
    </message>
    <message>
        <source>Predictions…</source>
        <translation>预测结果…</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>部件库</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Performance</source>
        <translation>性能</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>大纲</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Reset the layout</source>
        <translation>重置布局</translation>
    </message>
    <message>
        <source>User guide</source>
        <translation>用户指南</translation>
    </message>
    <message>
        <source>Keyboard shortcuts…</source>
        <translation>快捷键…</translation>
    </message>
    <message>
        <source>About Fabricwright</source>
        <translation>关于 Fabricwright</translation>
    </message>
    <message>
        <source>Repeat n times…</source>
        <translation>阵列复制…</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>查找…</translation>
    </message>
    <message>
        <source>Find next</source>
        <translation>查找下一个</translation>
    </message>
    <message>
        <source>Find previous</source>
        <translation>查找上一个</translation>
    </message>
    <message>
        <source>Command palette…</source>
        <translation>命令面板…</translation>
    </message>
    <message>
        <source>Search the panel of parts</source>
        <translation>在部件库中搜索</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Move or pan left</source>
        <translation>左移或向左平移</translation>
    </message>
    <message>
        <source>Move far left</source>
        <translation>向左移远</translation>
    </message>
    <message>
        <source>Move or pan right</source>
        <translation>右移或向右平移</translation>
    </message>
    <message>
        <source>Move far right</source>
        <translation>向右移远</translation>
    </message>
    <message>
        <source>Move or pan up</source>
        <translation>上移或向上平移</translation>
    </message>
    <message>
        <source>Move far up</source>
        <translation>向上移远</translation>
    </message>
    <message>
        <source>Move or pan down</source>
        <translation>下移或向下平移</translation>
    </message>
    <message>
        <source>Move far down</source>
        <translation>向下移远</translation>
    </message>
    <message>
        <source>Statement</source>
        <translation>陈述项</translation>
    </message>
    <message>
        <source>Align on a vertical middle line</source>
        <translation>按竖直中线对齐</translation>
    </message>
    <message>
        <source>Align on a horizontal middle line</source>
        <translation>按水平中线对齐</translation>
    </message>
    <message>
        <source>Bring to front</source>
        <translation>移到最前</translation>
    </message>
    <message>
        <source>Bring forward</source>
        <translation>前移一层</translation>
    </message>
    <message>
        <source>Send backward</source>
        <translation>后移一层</translation>
    </message>
    <message>
        <source>Send to back</source>
        <translation>移到最后</translation>
    </message>
    <message>
        <source>Lock in place</source>
        <translation>锁定位置</translation>
    </message>
    <message>
        <source>Unlock</source>
        <translation>解锁</translation>
    </message>
    <message>
        <source>Make own part from the chosen one…</source>
        <translation>由所选部件创建自有部件…</translation>
    </message>
    <message>
        <source>Import catalogue pack…</source>
        <translation>导入部件包…</translation>
    </message>
    <message>
        <source>Import NetBox device type…</source>
        <translation>导入 NetBox 设备类型…</translation>
    </message>
    <message>
        <source>Catalogue pack of my parts…</source>
        <translation>自有部件导出为部件包…</translation>
    </message>
    <message>
        <source>Fix all problems of this kind</source>
        <translation>修复同类的全部问题</translation>
    </message>
    <message>
        <source>Statements</source>
        <translation>陈述项</translation>
    </message>
    <message>
        <source>Frame</source>
        <translation>框</translation>
    </message>
    <message>
        <source>Show the drawing</source>
        <translation>显示图纸</translation>
    </message>
    <message>
        <source>Drawing</source>
        <translation>图纸</translation>
    </message>
    <message>
        <source>Show the racks</source>
        <translation>显示机柜</translation>
    </message>
    <message>
        <source>Racks</source>
        <translation>机柜</translation>
    </message>
    <message>
        <source>Compare designs</source>
        <translation>对比方案</translation>
    </message>
    <message>
        <source>Compare two designs, or this project with another file</source>
        <translation>对比两个方案，或将本工程与另一文件对比</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>New from requirements…</source>
        <translation>按需求新建…</translation>
    </message>
    <message>
        <source>New server sheet…</source>
        <translation>新建服务器图…</translation>
    </message>
    <message>
        <source>Welcome page</source>
        <translation>欢迎页</translation>
    </message>
    <message>
        <source>Guided tour</source>
        <translation>导览</translation>
    </message>
    <message>
        <source>Tour: next step</source>
        <translation>导览：下一步</translation>
    </message>
    <message>
        <source>Tour: step before</source>
        <translation>导览：上一步</translation>
    </message>
    <message>
        <source>Tour: skip it</source>
        <translation>导览：跳过</translation>
    </message>
    <message>
        <source>Count and axes</source>
        <translation>数量与轴</translation>
    </message>
    <message>
        <source>Replace a part…</source>
        <translation>替换部件…</translation>
    </message>
    <message>
        <source>Picture…</source>
        <translation>图片…</translation>
    </message>
    <message>
        <source>Block…</source>
        <translation>模块…</translation>
    </message>
    <message>
        <source>Save as block…</source>
        <translation>另存为模块…</translation>
    </message>
    <message>
        <source>Show parts and prices</source>
        <translation>显示物料与价格</translation>
    </message>
    <message>
        <source>What has to be ordered, what is there, and what it costs</source>
        <translation>需订购、已有的部件及其价格</translation>
    </message>
    <message>
        <source>Parts list</source>
        <translation>物料</translation>
    </message>
    <message>
        <source>Import price list…</source>
        <translation>导入价格表…</translation>
    </message>
    <message>
        <source>Cable labels…</source>
        <translation>线缆标签…</translation>
    </message>
    <message>
        <source>Lanes and slots…</source>
        <translation>通道与插槽…</translation>
    </message>
    <message>
        <source>Power, heat and weight of racks…</source>
        <translation>机柜功率、散热与重量…</translation>
    </message>
    <message>
        <source>Seat in racks by rule…</source>
        <translation>按规则上架…</translation>
    </message>
    <message>
        <source>Take snapshot…</source>
        <translation>创建快照…</translation>
    </message>
    <message>
        <source>Snapshots…</source>
        <translation>快照…</translation>
    </message>
    <message>
        <source>Show network health</source>
        <translation>显示网络健康</translation>
    </message>
    <message>
        <source>Buffers, thresholds, losses and bursts of the network</source>
        <translation>网络的缓存、阈值、丢包与突发</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Sweep fields</source>
        <translation>参数扫描</translation>
    </message>
    <message>
        <source>Many variants of this design: fields and values, one row each</source>
        <translation>此方案的多种变体：字段与取值，每种一行</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>参数扫描</translation>
    </message>
    <message>
        <source>Network settings…</source>
        <translation>网络配置…</translation>
    </message>
    <message>
        <source>Size a network…</source>
        <translation>网络选型…</translation>
    </message>
    <message>
        <source>Export pack…</source>
        <translation>导出包…</translation>
    </message>
    <message>
        <source>Report…</source>
        <translation>报告…</translation>
    </message>
    <message>
        <source>Diagnostic file…</source>
        <translation>诊断文件…</translation>
    </message>
    <message>
        <source>Expand or fold group</source>
        <translation>展开或收起组</translation>
    </message>
    <message>
        <source>Project properties…</source>
        <translation>工程属性…</translation>
    </message>
    <message>
        <source>Copy the design</source>
        <translation>复制方案</translation>
    </message>
    <message>
        <source>A second design in this project, to change and to compare</source>
        <translation>在本工程中另建一个方案，供修改与对比</translation>
    </message>
    <message>
        <source>Delete the design</source>
        <translation>删除方案</translation>
    </message>
    <message>
        <source>Paths</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
</context>
<context>
    <name>AlternativesModel</name>
    <message>
        <source>, on the Pareto front</source>
        <translation>，位于帕累托前沿</translation>
    </message>
    <message>
        <source>{name}: no other one is at least as good in everything</source>
        <translation>{name}：没有其他方案在所有指标上都不逊于它</translation>
    </message>
</context>
<context>
    <name>ApproveDialog</name>
    <message>
        <source>Approve {rule}</source>
        <translation>批准 {rule}</translation>
    </message>
    <message>
        <source>Why this is acceptable; it appears in reports</source>
        <translation>说明为何可以接受；将写入报告</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>理由</translation>
    </message>
    <message>
        <source>Approve</source>
        <translation>批准</translation>
    </message>
    <message>
        <source>Your name</source>
        <translation>姓名</translation>
    </message>
    <message>
        <source>In all designs of the project</source>
        <translation>适用于工程中的所有方案</translation>
    </message>
    <message>
        <source>It lapses when another member is hit or the value gets worse.</source>
        <translation>涉及其他成员或数值变差时，批准失效。</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Members</source>
        <translation>成员</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Approve this finding</source>
        <translation>批准此检查结果</translation>
    </message>
</context>
<context>
    <name>BarKey</name>
    <message>
        <source>units used</source>
        <translation>已用 U 数</translation>
    </message>
    <message>
        <source>power against cooling</source>
        <translation>功率（对散热上限）</translation>
    </message>
    <message>
        <source>power against one feed</source>
        <translation>功率（对一路供电）</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>重量</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Bars under a rack, from above: {names}</source>
        <translation>机柜下方的横条，自上而下：{names}</translation>
    </message>
    <message>
        <source>{name}: {figure} in {rack}, the fullest</source>
        <translation>{name}：{figure}，在 {rack}（最满）</translation>
    </message>
    <message>
        <source>A whole bar is the limit of the rack; grey where no limit is stated.</source>
        <translation>横条满格为机柜上限；未给上限时为灰色。</translation>
    </message>
</context>
<context>
    <name>Bill</name>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部件</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Needed</source>
        <translation>需求</translation>
    </message>
    <message>
        <source>Spares</source>
        <translation>备件</translation>
    </message>
    <message>
        <source>Owned</source>
        <translation>已有</translation>
    </message>
    <message>
        <source>To order</source>
        <translation>订购</translation>
    </message>
    <message>
        <source>Unit price</source>
        <translation>单价</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Lead time</source>
        <translation>货期</translation>
    </message>
    <message>
        <source>Price list</source>
        <translation>价格表</translation>
    </message>
    <message>
        <source>{days} d</source>
        <translation>{days} 天</translation>
    </message>
    <message>
        <source>{share}% of what is needed, rounded up</source>
        <translation>需求的 {share}%，向上取整</translation>
    </message>
    <message>
        <source>List price {price}, {share}% off</source>
        <translation>目录价 {price}，优惠 {share}%</translation>
    </message>
    <message>
        <source>Without tax of {share}%</source>
        <translation>不含 {share}% 税</translation>
    </message>
    <message>
        <source>Part number</source>
        <translation>型号</translation>
    </message>
</context>
<context>
    <name>BillView</name>
    <message>
        <source>Parts list</source>
        <translation>物料</translation>
    </message>
    <message>
        <source>Divide by</source>
        <translation>划分</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>不划分</translation>
    </message>
    <message>
        <source>rack</source>
        <translation>机柜</translation>
    </message>
    <message>
        <source>server type</source>
        <translation>服务器类型</translation>
    </message>
    <message>
        <source>phase</source>
        <translation>建设阶段</translation>
    </message>
    <message>
        <source>Only without a price</source>
        <translation>仅无价格的</translation>
    </message>
    <message>
        <source>Filter parts</source>
        <translation>筛选部件</translation>
    </message>
    <message>
        <source>Spares…</source>
        <translation>备件…</translation>
    </message>
    <message>
        <source>Import prices…</source>
        <translation>导入价格…</translation>
    </message>
    <message>
        <source>The checks do not run.</source>
        <translation>检查未运行。</translation>
    </message>
    <message>
        <source>Restart them to see the list.</source>
        <translation>请重新启动检查以查看物料。</translation>
    </message>
    <message>
        <source>Counting…</source>
        <translation>正在统计…</translation>
    </message>
    <message>
        <source>No part matches the filter.</source>
        <translation>没有符合筛选条件的部件。</translation>
    </message>
    <message>
        <source>Nothing is drawn yet.</source>
        <translation>图纸上还没有内容。</translation>
    </message>
    <message>
        <source>{lines} lines · {pieces} pieces to order</source>
        <translation>{lines} 行 · 需订购 {pieces} 件</translation>
    </message>
    <message>
        <source>{net}, with tax {gross}</source>
        <translation>{net}（含税 {gross}）</translation>
    </message>
    <message>
        <source>Total {sums}</source>
        <translation>合计 {sums}</translation>
    </message>
    <message>
        <source>{count} of {all} lines have no price.</source>
        <translation>{all} 行中有 {count} 行没有价格。</translation>
    </message>
    <message>
        <source>{count} of {all} lines have no price: type it into the table, or import a list.</source>
        <translation>{all} 行中有 {count} 行没有价格：可直接在表中填写，或导入价格表。</translation>
    </message>
    <message>
        <source>1 line · {pieces} to order</source>
        <translation>1 行 · 需订购 {pieces} 件</translation>
    </message>
    <message>
        <source>The line has no price: type it into the table, or import a list.</source>
        <translation>该行没有价格：可直接在表中填写，或导入价格表。</translation>
    </message>
</context>
<context>
    <name>Blocks</name>
    <message>
        <source>Save as block</source>
        <translation>另存为模块</translation>
    </message>
    <message>
        <source>Name of the block</source>
        <translation>模块名称</translation>
    </message>
    <message>
        <source>Delete the block &apos;{name}&apos;?</source>
        <translation>删除模块“{name}”？</translation>
    </message>
    <message>
        <source>{count} parts of the block differ from those of the project.</source>
        <translation>模块中有 {count} 个部件与工程中的不同。</translation>
    </message>
    <message>
        <source>Keep the project&apos;s</source>
        <translation>保留工程中的</translation>
    </message>
    <message>
        <source>Take the block&apos;s</source>
        <translation>采用模块中的</translation>
    </message>
</context>
<context>
    <name>Cables</name>
    <message>
        <source>Cables</source>
        <translation>线缆</translation>
    </message>
    <message>
        <source>This end is not on the sheet.</source>
        <translation>此端不在图上。</translation>
    </message>
    <message>
        <source>Expected one port of one member, such as {example}.</source>
        <translation>应为某个成员的一个端口，例如 {example}。</translation>
    </message>
    <message>
        <source>{item} has members 0 to {last}.</source>
        <translation>{item} 的成员编号为 0 到 {last}。</translation>
    </message>
    <message>
        <source>{item} has no port {port}.</source>
        <translation>{item} 没有端口 {port}。</translation>
    </message>
    <message>
        <source>moved by hand</source>
        <translation>手动移动</translation>
    </message>
    <message>
        <source>cut</source>
        <translation>已拔除</translation>
    </message>
    <message>
        <source>no port left</source>
        <translation>没有剩余端口</translation>
    </message>
    <message>
        <source>Search ends</source>
        <translation>搜索两端</translation>
    </message>
    <message>
        <source>Moved only</source>
        <translation>仅改接的</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>拔除</translation>
    </message>
    <message>
        <source>Put back</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Unplug the chosen cables; the rest stay as they are.</source>
        <translation>拔除所选线缆，其余保持不变。</translation>
    </message>
    <message>
        <source>Where the wiring rule of the bundle says.</source>
        <translation>恢复到线束接线规则规定的位置。</translation>
    </message>
    <message>
        <source>{count} moved</source>
        <translation>{count} 根改接</translation>
    </message>
</context>
<context>
    <name>CanvasPanel</name>
    <message>
        <source>Fabric</source>
        <translation>组网</translation>
    </message>
    <message>
        <source>Edits apply to all {count} servers</source>
        <translation>修改应用于全部 {count} 台服务器</translation>
    </message>
    <message>
        <source>Design</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Link load</source>
        <translation>链路负载</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>{collective}, {size} per GPU</source>
        <translation>{collective}，每 GPU {size}</translation>
    </message>
    <message>
        <source>Drag a server here</source>
        <translation>把服务器拖到这里</translation>
    </message>
    <message>
        <source>or press Ctrl+K and type a part</source>
        <translation>或按 Ctrl+K 输入部件名称</translation>
    </message>
    <message>
        <source>Applies to all {count}</source>
        <translation>作用于全部 {count} 台</translation>
    </message>
</context>
<context>
    <name>CanvasView</name>
    <message>
        <source>Sheet</source>
        <translation>图纸页</translation>
    </message>
</context>
<context>
    <name>CellDelegate</name>
    <message>
        <source>A value is needed; delete the row to take it back.</source>
        <translation>需要填写数值；如要撤回，请删除该行。</translation>
    </message>
</context>
<context>
    <name>ChoiceRow</name>
    <message>
        <source>All ranks</source>
        <translation>全部 Rank</translation>
    </message>
    <message>
        <source>First server</source>
        <translation>第一台服务器</translation>
    </message>
    <message>
        <source>First {count} servers</source>
        <translation>前 {count} 台服务器</translation>
    </message>
    <message>
        <source>Nothing is down</source>
        <translation>无故障</translation>
    </message>
    <message>
        <source>{address} ({kind}): {left}</source>
        <translation>{address}（{kind}）：{left}</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Bandwidth or time</source>
        <translation>带宽或时间</translation>
    </message>
    <message>
        <source>Ranks that take part</source>
        <translation>参与的 Rank</translation>
    </message>
    <message>
        <source>What is down</source>
        <translation>故障对象</translation>
    </message>
    <message>
        <source>What is down: choose a single failure, worst first, or type an address</source>
        <translation>故障对象：选择一个单点故障（最坏的在前），或输入地址</translation>
    </message>
</context>
<context>
    <name>ChoosePage</name>
    <message>
        <source>What you asked for</source>
        <translation>您的需求</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>{menu}, on</source>
        <translation>{menu}，已开启</translation>
    </message>
    <message>
        <source>Design</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Type a command, a part, a problem or a place</source>
        <translation>输入命令、部件、问题或位置</translation>
    </message>
    <message>
        <source>&gt; commands   + parts   ! problems   @ places   ·   Enter runs, Esc closes</source>
        <translation>&gt; 命令   + 部件   ! 问题   @ 位置   ·   Enter 执行，Esc 关闭</translation>
    </message>
    <message>
        <source>Nothing has all of these words.</source>
        <translation>没有包含全部词语的条目。</translation>
    </message>
</context>
<context>
    <name>Commands</name>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Frame</source>
        <translation>框</translation>
    </message>
</context>
<context>
    <name>Compare</name>
    <message>
        <source>message per GPU</source>
        <translation>每 GPU 消息大小</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部件</translation>
    </message>
    <message>
        <source>Δ cost</source>
        <translation>Δ 费用</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Claim</source>
        <translation>陈述</translation>
    </message>
    <message>
        <source>Stated</source>
        <translation>陈述值</translation>
    </message>
    <message>
        <source>Model says</source>
        <translation>模型结论</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>检查结果</translation>
    </message>
    <message>
        <source>gained</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>消除</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>added</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>replaced</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>修改</translation>
    </message>
    <message>
        <source>what is inside</source>
        <translation>内部构成</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>{side}: {algorithm}, {protocol}</source>
        <translation>{side}：{algorithm}，{protocol}</translation>
    </message>
    <message>
        <source>Export comparison</source>
        <translation>导出对比</translation>
    </message>
    <message>
        <source>Differences: part lines {parts}, items {items}, links {links}</source>
        <translation>差异：{parts} 行物料，{items} 个部件，{links} 条链路</translation>
    </message>
</context>
<context>
    <name>CompareFigures</name>
    <message>
        <source>Training step</source>
        <translation>训练步</translation>
    </message>
    <message>
        <source>Bill of materials, difference</source>
        <translation>物料清单差异</translation>
    </message>
    <message>
        <source>Which sides</source>
        <translation>对比哪两侧</translation>
    </message>
    <message>
        <source>Claims checked</source>
        <translation>陈述核对</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>检查结果</translation>
    </message>
    <message>
        <source>Drawing</source>
        <translation>图纸</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>{gpus} GPUs, {servers} servers</source>
        <translation>{gpus} 个 GPU，{servers} 台服务器</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>正在对比…</translation>
    </message>
    <message>
        <source>Choose two designs to compare.</source>
        <translation>请选择两个方案进行对比。</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>comm</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>+{percent} % throughput</source>
        <translation>吞吐 +{percent} %</translation>
    </message>
    <message>
        <source>Claim</source>
        <translation>陈述</translation>
    </message>
    <message>
        <source>{count} more are not judged</source>
        <translation>另有 {count} 条未判定</translation>
    </message>
    <message>
        <source>No statement was judged on these sides.</source>
        <translation>这些方案上没有已判定的陈述。</translation>
    </message>
    <message>
        <source>No finding gained, none lost.</source>
        <translation>检查结果没有新增或消除。</translation>
    </message>
    <message>
        <source>The drawings are the same.</source>
        <translation>图纸相同。</translation>
    </message>
    <message>
        <source>Parts that are equal on both sides are not listed.</source>
        <translation>两侧相同的部件未列出。</translation>
    </message>
    <message>
        <source>Both sides need the same parts.</source>
        <translation>两侧所需部件相同。</translation>
    </message>
    <message>
        <source>{count} without a price</source>
        <translation>{count} 行无价格</translation>
    </message>
    <message>
        <source>no prices loaded</source>
        <translation>未载入价格</translation>
    </message>
    <message>
        <source>All-reduce bandwidth by message size</source>
        <translation>AllReduce 带宽与消息大小</translation>
    </message>
</context>
<context>
    <name>CompareHead</name>
    <message>
        <source>no third side</source>
        <translation>无第三方案</translation>
    </message>
    <message>
        <source>Another file…</source>
        <translation>其他文件…</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Swap the sides</source>
        <translation>交换两侧</translation>
    </message>
    <message>
        <source>Changes only</source>
        <translation>仅显示变化</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Side {letter}</source>
        <translation>方案 {letter}</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>added</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>修改</translation>
    </message>
    <message>
        <source>unsaved work</source>
        <translation>未保存的工作</translation>
    </message>
    <message>
        <source>Comparison as a page…</source>
        <translation>对比图页…</translation>
    </message>
    <message>
        <source>Design report…</source>
        <translation>设计报告…</translation>
    </message>
</context>
<context>
    <name>CompareView</name>
    <message>
        <source>There is nothing to compare with yet.</source>
        <translation>还没有可对比的方案。</translation>
    </message>
    <message>
        <source>Choose another file or a snapshot above, or change a copy of this design.</source>
        <translation>请在上方选择另一个文件或快照，或复制当前方案后修改。</translation>
    </message>
    <message>
        <source>Copy this design</source>
        <translation>复制当前方案</translation>
    </message>
    <message>
        <source>nothing is drawn on this side</source>
        <translation>此侧没有图纸内容</translation>
    </message>
</context>
<context>
    <name>Dialogs</name>
    <message>
        <source>Save the changes to {name}?</source>
        <translation>保存对 {name} 的更改吗？</translation>
    </message>
    <message>
        <source>What was changed since the last save is lost otherwise.</source>
        <translation>否则上次保存之后的更改将会丢失。</translation>
    </message>
    <message>
        <source>Open project</source>
        <translation>打开工程</translation>
    </message>
    <message>
        <source>Save project</source>
        <translation>保存工程</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>New from template</source>
        <translation>从模板新建</translation>
    </message>
    <message>
        <source>Which chassis?</source>
        <translation>选择哪种机箱？</translation>
    </message>
    <message>
        <source>Pictures (*.png *.jpg *.jpeg)</source>
        <translation>图片 (*.png *.jpg *.jpeg)</translation>
    </message>
    <message>
        <source>Insert picture</source>
        <translation>插入图片</translation>
    </message>
    <message>
        <source>Blocks (*.fwblock)</source>
        <translation>模块 (*.fwblock)</translation>
    </message>
    <message>
        <source>Insert block</source>
        <translation>插入模块</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
</context>
<context>
    <name>Docks</name>
    <message>
        <source>Parts</source>
        <translation>部件库</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>大纲</translation>
    </message>
    <message>
        <source>Paths</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Performance</source>
        <translation>性能</translation>
    </message>
    <message>
        <source>Statements</source>
        <translation>陈述项</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>PDF, all pages in one file</source>
        <translation>PDF，全部页一个文件</translation>
    </message>
    <message>
        <source>SVG, a file per page</source>
        <translation>SVG，每页一个文件</translation>
    </message>
    <message>
        <source>PNG, a file per page</source>
        <translation>PNG，每页一个文件</translation>
    </message>
    <message>
        <source>draw.io, to edit further</source>
        <translation>draw.io，可继续编辑</translation>
    </message>
    <message>
        <source>Paper</source>
        <translation>纸张</translation>
    </message>
    <message>
        <source>landscape</source>
        <translation>横向</translation>
    </message>
    <message>
        <source>portrait</source>
        <translation>纵向</translation>
    </message>
    <message>
        <source>Orientation</source>
        <translation>方向</translation>
    </message>
    <message>
        <source>Colour and dashes</source>
        <translation>彩色与线型</translation>
    </message>
    <message>
        <source>Print-safe: greys and dashes</source>
        <translation>适合打印：灰度与线型</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>分辨率</translation>
    </message>
    <message>
        <source>Fabric</source>
        <translation>组网</translation>
    </message>
    <message>
        <source>Server, {sheet}</source>
        <translation>服务器，{sheet}</translation>
    </message>
    <message>
        <source>Bill of materials</source>
        <translation>物料清单</translation>
    </message>
    <message>
        <source>Findings and approvals</source>
        <translation>检查结果与批准</translation>
    </message>
    <message>
        <source>Legend and notes</source>
        <translation>图例和备注</translation>
    </message>
    <message>
        <source>Parts, predictions, counts</source>
        <translation>部件、预测、计数</translation>
    </message>
    <message>
        <source>Labels on links</source>
        <translation>链路标签</translation>
    </message>
    <message>
        <source>Link load</source>
        <translation>链路负载</translation>
    </message>
    <message>
        <source>Findings on the cards</source>
        <translation>卡片上的检查结果</translation>
    </message>
    <message>
        <source>Selection only</source>
        <translation>只画所选</translation>
    </message>
    <message>
        <source>Transparent ground</source>
        <translation>透明底</translation>
    </message>
    <message>
        <source>Diagram as</source>
        <translation>图的格式</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Style</source>
        <translation>样式</translation>
    </message>
    <message>
        <source>Dots per inch</source>
        <translation>每英寸点数</translation>
    </message>
    <message>
        <source>Revision</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Text stays text: part numbers can be searched in the PDF.</source>
        <translation>文字仍是文字：在 PDF 中可以搜索料号。</translation>
    </message>
    <message>
        <source>Plain SVG: text stays text, nothing is fetched from elsewhere.</source>
        <translation>纯 SVG：文字仍是文字，不引用外部内容。</translation>
    </message>
    <message>
        <source>Painted in strips, so that large pages need little memory.</source>
        <translation>分条绘制，大页面占用内存也很少。</translation>
    </message>
    <message>
        <source>Ports and connectors stay connected; every tier is a layer.</source>
        <translation>端口与连线保持相连；每一层级是一个图层。</translation>
    </message>
    <message>
        <source>Choose at least one sheet.</source>
        <translation>请至少选一张图纸页。</translation>
    </message>
    <message>
        <source>Stopped; nothing was written.</source>
        <translation>已停止；没有写任何文件。</translation>
    </message>
    <message>
        <source>Writing {file}…</source>
        <translation>正在写 {file}…</translation>
    </message>
    <message>
        <source>Rack elevation</source>
        <translation>机柜立面图</translation>
    </message>
</context>
<context>
    <name>ExportJob</name>
    <message>
        <source>The export ended without a word.</source>
        <translation>导出意外结束，没有给出原因。</translation>
    </message>
</context>
<context>
    <name>Exports</name>
    <message>
        <source>Export table</source>
        <translation>导出表格</translation>
    </message>
    <message>
        <source>Export predictions</source>
        <translation>导出预测结果</translation>
    </message>
    <message>
        <source>Cables keep their places when an export is renamed.</source>
        <translation>端口组改名后，线缆位置不变。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Ports of {name}</source>
        <translation>{name} 的端口</translation>
    </message>
    <message>
        <source>In rail order. Drag or Alt+Up and Alt+Down reorder, Del takes out.</source>
        <translation>按轨道顺序。拖动或按 Alt+↑、Alt+↓ 调整次序，按 Del 移出。</translation>
    </message>
    <message>
        <source>Axes</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>such as rail=8</source>
        <translation>例如 rail=8</translation>
    </message>
    <message>
        <source>How the ports are counted; cables join groups on equal axes.</source>
        <translation>端口的编号方式；线缆按相同的轴连接各设备组。</translation>
    </message>
    <message>
        <source>Add port</source>
        <translation>添加端口</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Comes with the server; a change is stored here.</source>
        <translation>服务器自带；更改保存在此处。</translation>
    </message>
    <message>
        <source>Cabled: other ports or another order deal its cables anew.</source>
        <translation>已接线：更换端口或次序会重新分配线缆。</translation>
    </message>
    <message>
        <source>These axes count {count} ports; the export has {there}.</source>
        <translation>这些轴共 {count} 个端口；端口组有 {there} 个。</translation>
    </message>
    <message>
        <source>New export</source>
        <translation>新建端口组</translation>
    </message>
    <message>
        <source>Cables of the group end at the exports of &apos;{base}&apos;.</source>
        <translation>设备组的线缆接在“{base}”的对外端口组上。</translation>
    </message>
    <message>
        <source>In no export, so without a cable: {ports}</source>
        <translation>未列入端口组，因此没有线缆：{ports}</translation>
    </message>
    <message>
        <source>No network port yet: put a NIC into a slot.</source>
        <translation>还没有网络端口：请在插槽中装入网卡。</translation>
    </message>
    <message>
        <source>Writing {file}…</source>
        <translation>正在写入 {file}…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export report</source>
        <translation>导出报告</translation>
    </message>
</context>
<context>
    <name>FailureModel</name>
    <message>
        <source>Without {address}, {count} ranks cannot reach the others: {ranks}.</source>
        <translation>失去 {address}，{count} 个 Rank 到不了其他 Rank：{ranks}。</translation>
    </message>
    <message>
        <source>Fails</source>
        <translation>故障对象</translation>
    </message>
    <message>
        <source>Cut off</source>
        <translation>断开</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>剩余</translation>
    </message>
    <message>
        <source>Without {address} ({kind}, {count} alike) {left} of the bus bandwidth is left; {lost} ranks go down with it.</source>
        <translation>失去 {address}（{kind}，同类 {count} 个），总线带宽剩余 {left}；{lost} 个 Rank 随之失去。</translation>
    </message>
</context>
<context>
    <name>FailureTable</name>
    <message>
        <source>{count} single failures; {points} of them stop ranks that are not part of them.</source>
        <translation>{count} 种单点故障；其中 {points} 种会使故障对象之外的 Rank 停止。</translation>
    </message>
    <message>
        <source>{count} single failures, none cuts ranks off; the median one leaves {median} %.</source>
        <translation>{count} 种单点故障，均不会断开 Rank；中位数剩余 {median} %。</translation>
    </message>
    <message>
        <source>All single failures, worst first</source>
        <translation>全部单点故障，最坏的在前</translation>
    </message>
</context>
<context>
    <name>FaultDialog</name>
    <message>
        <source>Something went wrong</source>
        <translation>程序出错</translation>
    </message>
    <message>
        <source>Diagnostic file</source>
        <translation>诊断文件</translation>
    </message>
    <message>
        <source>Something went wrong in the program.</source>
        <translation>程序内部出错。</translation>
    </message>
    <message>
        <source>The diagnostic file holds nothing of your project and is sent nowhere. It contains:</source>
        <translation>诊断文件不含您工程的任何内容，也不会发送到任何地方。其中包括：</translation>
    </message>
    <message>
        <source>What the diagnostic file contains</source>
        <translation>诊断文件的内容</translation>
    </message>
    <message>
        <source>Where it went wrong</source>
        <translation>出错位置</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>A copy of the project could not be written: save it now under another name.</source>
        <translation>无法写入工程副本：请立即另存为其他名称。</translation>
    </message>
    <message>
        <source>A copy of the project as it is now was saved first: {file}. Save under another name, start the program again, and compare.</source>
        <translation>已先保存工程当前状态的副本：{file}。请另存为其他名称，重新启动程序并进行比较。</translation>
    </message>
    <message>
        <source>Save diagnostic file</source>
        <translation>保存诊断文件</translation>
    </message>
    <message>
        <source>{file} cannot be written ({reason}).</source>
        <translation>无法写入 {file}（{reason}）。</translation>
    </message>
    <message>
        <source>Saved {file}.</source>
        <translation>已保存 {file}。</translation>
    </message>
    <message>
        <source>Save diagnostic file…</source>
        <translation>保存诊断文件…</translation>
    </message>
</context>
<context>
    <name>Faults</name>
    <message>
        <source>versions of program, Python, Qt and system; sizes of the screens</source>
        <translation>程序、Python、Qt 和系统的版本；屏幕尺寸</translation>
    </message>
    <message>
        <source>how many designs, sheets, items and links are open; no names</source>
        <translation>打开的设计、图页、部件和链路的数量；不含名称</translation>
    </message>
    <message>
        <source>last messages of the program, with names, values and paths left out</source>
        <translation>程序最近的消息，已去除名称、数值和路径</translation>
    </message>
    <message>
        <source>where in the program it went wrong: modules, lines, functions</source>
        <translation>程序出错的位置：模块、行号、函数</translation>
    </message>
    <message>
        <source>the same of the run before this one, when it ended by itself</source>
        <translation>上一次运行意外结束时的同样信息</translation>
    </message>
</context>
<context>
    <name>FigureModel</name>
    <message>
        <source>drawing</source>
        <translation>图纸</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>公式</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
</context>
<context>
    <name>FileCommands</name>
    <message>
        <source>{name} (copy)</source>
        <translation>{name}（副本）</translation>
    </message>
</context>
<context>
    <name>FilterButton</name>
    <message>
        <source>Sheet</source>
        <translation>图纸页</translation>
    </message>
    <message>
        <source>All sheets</source>
        <translation>全部图纸页</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>All rules</source>
        <translation>全部规则</translation>
    </message>
    <message>
        <source>{sheet} (open now)</source>
        <translation>{sheet}（当前打开）</translation>
    </message>
    <message>
        <source>Filter by sheet and rules</source>
        <translation>按图纸页与规则筛选</translation>
    </message>
    <message>
        <source>{filter}: {chosen}</source>
        <translation>{filter}：{chosen}</translation>
    </message>
</context>
<context>
    <name>Find</name>
    <message>
        <source>Sheet</source>
        <translation>图纸页</translation>
    </message>
    <message>
        <source>Slot</source>
        <translation>插槽</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find parts, links, notes, problems</source>
        <translation>查找部件、链路、备注、问题</translation>
    </message>
    <message>
        <source>Previous (Shift+Enter)</source>
        <translation>上一个 (Shift+Enter)</translation>
    </message>
    <message>
        <source>Next (Enter)</source>
        <translation>下一个 (Enter)</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭 (Esc)</translation>
    </message>
    <message>
        <source>nothing found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>{count} found</source>
        <translation>找到 {count} 项</translation>
    </message>
    <message>
        <source>{number} of {count}</source>
        <translation>{number} / {count}</translation>
    </message>
</context>
<context>
    <name>FloorPlan</name>
    <message>
        <source>servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>leafs</source>
        <translation>Leaf</translation>
    </message>
    <message>
        <source>spines and services</source>
        <translation>Spine 与服务设备</translation>
    </message>
</context>
<context>
    <name>GeneralPage</name>
    <message>
        <source>Name, English</source>
        <translation>英文名称</translation>
    </message>
    <message>
        <source>Name, Chinese</source>
        <translation>中文名称</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>型号</translation>
    </message>
    <message>
        <source>The part number to order by</source>
        <translation>订货料号</translation>
    </message>
    <message>
        <source>Vendor</source>
        <translation>厂商</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>编号 (id)</translation>
    </message>
    <message>
        <source>What project files call it; it stays when the names change</source>
        <translation>工程文件中使用的 id；改名后保持不变</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Guessed from the record; correct it where it is wrong</source>
        <translation>由记录推断；有误请更正</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>For what is not a figure: datasheet, offer, measured; each figure has a source of its own</source>
        <translation>用于参数以外的内容：数据手册、报价、实测；各参数另有来源</translation>
    </message>
    <message>
        <source>How sure</source>
        <translation>可信度</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>As the part it was made from; another name tells them apart</source>
        <translation>与来源部件同名；改个名称以便区分</translation>
    </message>
</context>
<context>
    <name>Gestures</name>
    <message>
        <source>Select</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Click</source>
        <translation>单击</translation>
    </message>
    <message>
        <source>Add to the selection</source>
        <translation>加入选择</translation>
    </message>
    <message>
        <source>Shift or Ctrl + click</source>
        <translation>Shift 或 Ctrl + 单击</translation>
    </message>
    <message>
        <source>One part out of a group</source>
        <translation>选组中的一个部件</translation>
    </message>
    <message>
        <source>Alt + click</source>
        <translation>Alt + 单击</translation>
    </message>
    <message>
        <source>Select what is inside a band</source>
        <translation>框选（完全在框内）</translation>
    </message>
    <message>
        <source>Drag to the right</source>
        <translation>向右拖动</translation>
    </message>
    <message>
        <source>Select what a band touches</source>
        <translation>框选（碰到即选）</translation>
    </message>
    <message>
        <source>Drag to the left</source>
        <translation>向左拖动</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>Drag</source>
        <translation>拖动</translation>
    </message>
    <message>
        <source>Move along one axis</source>
        <translation>沿单轴移动</translation>
    </message>
    <message>
        <source>Shift + drag</source>
        <translation>Shift + 拖动</translation>
    </message>
    <message>
        <source>Move without snapping</source>
        <translation>不吸附移动</translation>
    </message>
    <message>
        <source>Alt + drag</source>
        <translation>Alt + 拖动</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Ctrl + drag</source>
        <translation>Ctrl + 拖动</translation>
    </message>
    <message>
        <source>Draw a link</source>
        <translation>画链路</translation>
    </message>
    <message>
        <source>Drag from a port</source>
        <translation>从端口拖出</translation>
    </message>
    <message>
        <source>Bend a link</source>
        <translation>弯折连线</translation>
    </message>
    <message>
        <source>Drag a piece of it</source>
        <translation>拖动连线的一段</translation>
    </message>
    <message>
        <source>Place a part</source>
        <translation>放置部件</translation>
    </message>
    <message>
        <source>Drag from the list of parts</source>
        <translation>从部件库拖出</translation>
    </message>
    <message>
        <source>Place it against the rules</source>
        <translation>违反规则强制放置</translation>
    </message>
    <message>
        <source>Alt + drop</source>
        <translation>按住 Alt 放下</translation>
    </message>
    <message>
        <source>Open a server, rename a part</source>
        <translation>打开服务器、重命名部件</translation>
    </message>
    <message>
        <source>Double-click</source>
        <translation>双击</translation>
    </message>
    <message>
        <source>Pan</source>
        <translation>平移</translation>
    </message>
    <message>
        <source>Middle button, right button or Space + drag; wheel</source>
        <translation>中键、右键或空格 + 拖动；滚轮</translation>
    </message>
    <message>
        <source>Zoom at the pointer</source>
        <translation>以指针为中心缩放</translation>
    </message>
    <message>
        <source>Ctrl + wheel</source>
        <translation>Ctrl + 滚轮</translation>
    </message>
    <message>
        <source>Back, forward</source>
        <translation>后退、前进</translation>
    </message>
    <message>
        <source>Side buttons of the mouse</source>
        <translation>鼠标侧键</translation>
    </message>
</context>
<context>
    <name>Group</name>
    <message>
        <source>Edits apply to all {count}</source>
        <translation>修改应用于全部 {count} 个</translation>
    </message>
    <message>
        <source>Edits apply to all {count}; make an exception for {members} below</source>
        <translation>修改应用于全部 {count} 个；如需单独处理 {members}，请在下方设为例外</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open {members}</source>
        <translation>打开 {members}</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>These members are like the others again.</source>
        <translation>这些成员恢复为与其他成员相同。</translation>
    </message>
    <message>
        <source>absent</source>
        <translation>空缺</translation>
    </message>
    <message>
        <source>Members</source>
        <translation>成员</translation>
    </message>
    <message>
        <source>such as 17, 40-43</source>
        <translation>例如 17, 40-43</translation>
    </message>
    <message>
        <source>Counted from 0, as in the addresses of the findings.</source>
        <translation>从 0 计数，与检查结果的地址一致。</translation>
    </message>
    <message>
        <source>Differ inside</source>
        <translation>设为变体</translation>
    </message>
    <message>
        <source>Absent</source>
        <translation>空缺</translation>
    </message>
    <message>
        <source>Detach</source>
        <translation>拆出</translation>
    </message>
    <message>
        <source>A variant of the server for these members; opens it to change cards.</source>
        <translation>为这些成员建立服务器变体，并打开以更改插卡。</translation>
    </message>
    <message>
        <source>Not built; cables of the others stay as they are.</source>
        <translation>不安装；其他成员的线缆不变。</translation>
    </message>
    <message>
        <source>A thing of its own on the sheet, with its cables and places.</source>
        <translation>成为图纸页上的独立对象，保留其线缆与位置。</translation>
    </message>
    <message>
        <source>not in racks</source>
        <translation>不在机柜中</translation>
    </message>
    <message>
        <source>Stand in</source>
        <translation>所在机柜</translation>
    </message>
    <message>
        <source>First rack</source>
        <translation>起始机柜</translation>
    </message>
    <message>
        <source>Counted from 0.</source>
        <translation>从 0 计数。</translation>
    </message>
    <message>
        <source>Per rack</source>
        <translation>每柜数量</translation>
    </message>
    <message>
        <source>How many members one rack takes.</source>
        <translation>每机柜放几个成员。</translation>
    </message>
    <message>
        <source>Every n-th rack</source>
        <translation>机柜间隔</translation>
    </message>
    <message>
        <source>1 fills one rack after the other.</source>
        <translation>1 表示逐柜放置。</translation>
    </message>
    <message>
        <source>From unit</source>
        <translation>起始 U 位</translation>
    </message>
    <message>
        <source>Lowest height unit of the first member in a rack.</source>
        <translation>机柜内第一个成员的最低 U 位。</translation>
    </message>
    <message>
        <source>Elsewhere</source>
        <translation>另行放置</translation>
    </message>
    <message>
        <source>such as 17=3@40</source>
        <translation>例如 17=3@40</translation>
    </message>
    <message>
        <source>Single members: member=rack@unit, separated by commas.</source>
        <translation>单个成员：成员=机柜@U 位，以半角逗号分隔。</translation>
    </message>
    <message>
        <source>Choose the racks first.</source>
        <translation>请先选择机柜。</translation>
    </message>
    <message>
        <source>A whole number is expected.</source>
        <translation>应为整数。</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is not member=rack@unit.</source>
        <translation>“{text}”不是“成员=机柜@U 位”的形式。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Phase {phase}</source>
        <translation>第 {phase} 期</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>期次</translation>
    </message>
    <message>
        <source>These members are bought in another step of the build-out.</source>
        <translation>这些成员在另一期建设中采购。</translation>
    </message>
</context>
<context>
    <name>GroupSizeEditor</name>
    <message>
        <source>One more axis</source>
        <translation>再加一个轴</translation>
    </message>
    <message>
        <source>Count and axes</source>
        <translation>数量与轴</translation>
    </message>
    <message>
        <source>Name of the axis</source>
        <translation>轴名</translation>
    </message>
    <message>
        <source>Count along {axis}</source>
        <translation>沿 {axis} 的数量</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is no name of an axis: small letters and digits.</source>
        <translation>“{name}”不能作轴名：只用小写字母和数字。</translation>
    </message>
    <message>
        <source>Two axes are called &apos;{name}&apos;.</source>
        <translation>有两个轴都叫“{name}”。</translation>
    </message>
    <message>
        <source>At most {count} members.</source>
        <translation>最多 {count} 个成员。</translation>
    </message>
    <message>
        <source>Enter keeps it, Esc leaves it.</source>
        <translation>Enter 保存，Esc 放弃。</translation>
    </message>
    <message>
        <source>{count} members with exceptions go.</source>
        <translation>{count} 个有例外的成员将消失。</translation>
    </message>
    <message>
        <source>A member with an exception goes.</source>
        <translation>1 个有例外的成员将消失。</translation>
    </message>
</context>
<context>
    <name>Guide</name>
    <message>
        <source>The tour goes on when that is done.</source>
        <translation>完成后导览会自动继续。</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Skip the tour</source>
        <translation>跳过导览</translation>
    </message>
</context>
<context>
    <name>GuideWindow</name>
    <message>
        <source>The pages of the guide are missing from this installation.</source>
        <translation>此安装中缺少指南页面。</translation>
    </message>
    <message>
        <source>User guide</source>
        <translation>用户指南</translation>
    </message>
    <message>
        <source>Search the guide</source>
        <translation>搜索指南</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Page of the guide</source>
        <translation>指南页面</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>No page holds these words.</source>
        <translation>没有页面包含这些词。</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
</context>
<context>
    <name>Health</name>
    <message>
        <source>{headroom}, buffer not known</source>
        <translation>{headroom}，缓存未知</translation>
    </message>
    <message>
        <source>{headroom} of {buffer} ({share})</source>
        <translation>{headroom} / {buffer}（{share}）</translation>
    </message>
    <message>
        <source>{ports}; lossless priority {names}</source>
        <translation>{ports}；无损优先级 {names}</translation>
    </message>
    <message>
        <source>{ports}; one lossless priority assumed</source>
        <translation>{ports}；假设一个无损优先级</translation>
    </message>
    <message>
        <source>{count} × {rate}G: {headroom} each ({source})</source>
        <translation>{count} × {rate}G：每个 {headroom}（{source}）</translation>
    </message>
    <message>
        <source>Reserved for others: {bytes}</source>
        <translation>为其他流量保留：{bytes}</translation>
    </message>
    <message>
        <source>Shared pool: {pool}</source>
        <translation>共享池：{pool}</translation>
    </message>
    <message>
        <source>Buffer: {source}</source>
        <translation>缓存来源：{source}</translation>
    </message>
    <message>
        <source>Cables of unknown length count as 5 m.</source>
        <translation>长度未知的线缆按 5 m 计。</translation>
    </message>
    <message>
        <source>≈ marks an estimate.</source>
        <translation>≈ 表示估算。</translation>
    </message>
    <message>
        <source>{senders} × {rate}G at once: {sign}{burst}</source>
        <translation>{senders} × {rate}G 同时发送：{sign}{burst}</translation>
    </message>
    <message>
        <source>Worst case: senders x rate x unloaded round trip, before any of them hears a mark or a pause; NCCL staggers an all-to-all.
One hot queue takes half of the shared pool (dynamic threshold of 1, Choudhury and Hahne 1998). Estimates.</source>
        <translation>最坏情况：发送端数 × 速率 × 空载往返时间，即收到标记或暂停之前的量；NCCL 会错开 all-to-all。
单个热点队列可占共享池的一半（动态阈值为 1，Choudhury 与 Hahne 1998）。均为估算。</translation>
    </message>
    <message>
        <source>queue of {item}: {room}</source>
        <translation>{item} 的队列：{room}</translation>
    </message>
    <message>
        <source>Nobody sends over a network.</source>
        <translation>没有流量经过网络。</translation>
    </message>
    <message>
        <source>Expected slowest flow as a part of what its NIC port gives it; a collective waits for it. Hashed flows are routed for several seeds (Monte Carlo); flows of an all-to-all by order statistics (Blom 1958).</source>
        <translation>预计最慢的流占其网卡端口所给速率的比例；集合通信要等它。哈希的流按多个种子逐一选路（蒙特卡洛）；all-to-all 的流按次序统计量（Blom 1958）。</translation>
    </message>
    <message>
        <source>{collective}: slowest flow</source>
        <translation>{collective}：最慢的流</translation>
    </message>
    <message>
        <source>No flow is hashed: they stay on one leaf.</source>
        <translation>没有流需要哈希：都在同一台 leaf 上。</translation>
    </message>
    <message>
        <source>There are no equal-cost paths.</source>
        <translation>没有等价路径。</translation>
    </message>
    <message>
        <source>Adaptive routing spreads packets evenly over equal paths.</source>
        <translation>自适应路由把报文均匀分到等价路径。</translation>
    </message>
    <message>
        <source>Flows are dealt to equal paths in turn (pinned).</source>
        <translation>流依次固定到等价路径。</translation>
    </message>
    <message>
        <source>now: {sign}{rate} lost, {share} left</source>
        <translation>当前：丢包 {sign}{rate}，剩余 {share}</translation>
    </message>
    <message>
        <source>{rate} at {gbps}G: {share} left</source>
        <translation>{gbps}G 丢包 {rate}：剩余 {share}</translation>
    </message>
    <message>
        <source>selective repeat</source>
        <translation>选择性重传</translation>
    </message>
    <message>
        <source>go-back-N, {gbps}G as drawn</source>
        <translation>Go-Back-N，图中 {gbps}G</translation>
    </message>
    <message>
        <source>go-back-N, {gbps}G, 20 µs</source>
        <translation>Go-Back-N，{gbps}G、20 µs</translation>
    </message>
    <message>
        <source>{rate} of the packets lost leave {share} of a port&apos;s rate as drawn, {example} at 400G and 20 µs.</source>
        <translation>丢包 {rate} 时，图中端口速率剩余 {share}；400G、20 µs 时剩余 {example}。</translation>
    </message>
    <message>
        <source>Go-back-N leaves (1 - p) / (1 + p (W - 1)), selective repeat 1 - p (Bertsekas and Gallager 1992, 2.4).
As drawn: W = {window} packets of {mtu} bytes in a round trip of {trip} µs (estimate: queues make it longer).</source>
        <translation>Go-Back-N 剩余 (1 - p) / (1 + p (W - 1))，选择性重传剩余 1 - p（Bertsekas 与 Gallager 1992，2.4）。
图中：往返 {trip} µs 内有 W = {window} 个 {mtu} 字节的报文在途（估算：排队会使其更长）。</translation>
    </message>
    <message>
        <source>The NICs drawn resend only what was lost.</source>
        <translation>图中的网卡只重传丢失的报文。</translation>
    </message>
    <message>
        <source>out of order: Kmin &lt; Kmax ≤ XOFF</source>
        <translation>顺序不对：应为 Kmin &lt; Kmax ≤ XOFF</translation>
    </message>
    <message>
        <source>Blue: packets are marked, more often the longer the queue. Yellow: headroom of all ports.</source>
        <translation>蓝色：标记报文，队列越长越频繁。黄色：所有端口的余量。</translation>
    </message>
    <message>
        <source>≈ proposed: Kmin and Kmax from Zhu et al. (SIGCOMM 2015), scaled with the rate; XOFF = pool / (1 + lossless queues), Choudhury and Hahne 1998.</source>
        <translation>≈ 建议值：Kmin 与 Kmax 取自 Zhu 等（SIGCOMM 2015），按速率缩放；XOFF = 共享池 /（1 + 无损队列数），Choudhury 与 Hahne 1998。</translation>
    </message>
    <message>
        <source>Pause frames keep packets from being dropped.</source>
        <translation>暂停帧使报文不被丢弃。</translation>
    </message>
    <message>
        <source>Pause frames are off: full buffers drop packets.</source>
        <translation>暂停帧已关闭：缓存满时丢包。</translation>
    </message>
    <message>
        <source>Nothing is stated about pause frames; shown as if one priority paused.</source>
        <translation>未说明暂停帧；按一个优先级启用暂停来显示。</translation>
    </message>
    <message>
        <source>Every NIC resends only what was lost; pause frames are not needed.</source>
        <translation>所有网卡只重传丢失的报文；不需要暂停帧。</translation>
    </message>
    <message>
        <source>InfiniBand grants credits; nothing is dropped.</source>
        <translation>InfiniBand 授予信用；不丢包。</translation>
    </message>
    <message>
        <source>InfiniBand needs no headroom: a sender waits until it is granted room.</source>
        <translation>InfiniBand 不需要余量：发送端等到获得空间才发送。</translation>
    </message>
    <message>
        <source>No port pauses, so no headroom is kept.</source>
        <translation>没有端口启用暂停，因此不留余量。</translation>
    </message>
    <message>
        <source>There is no Ethernet switch with a lossless port.</source>
        <translation>没有带无损端口的以太网交换机。</translation>
    </message>
    <message>
        <source>Storage: all servers write to one port</source>
        <translation>存储：所有服务器写向同一端口</translation>
    </message>
    <message>
        <source>All-to-all: all other servers send to one port</source>
        <translation>AllToAll：其他所有服务器发向同一端口</translation>
    </message>
    <message>
        <source>fits into the queue</source>
        <translation>队列容得下</translation>
    </message>
    <message>
        <source>more than the queue takes: senders are paused</source>
        <translation>超过队列容量：发送端被暂停</translation>
    </message>
    <message>
        <source>more than the queue takes: packets are dropped</source>
        <translation>超过队列容量：报文被丢弃</translation>
    </message>
    <message>
        <source>senders wait for credits</source>
        <translation>发送端等待信用</translation>
    </message>
    <message>
        <source>buffer not known</source>
        <translation>缓存未知</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>丢包</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>All-to-all</source>
        <translation>AllToAll</translation>
    </message>
    <message>
        <source>All-reduce</source>
        <translation>AllReduce</translation>
    </message>
    <message>
        <source>Mean flow {mean}; busiest link {stretch} × an even split.</source>
        <translation>平均的流 {mean}；最忙链路为均分的 {stretch} 倍。</translation>
    </message>
    <message>
        <source>{low} to {high} by chance, mean flow {mean}; busiest link {stretch} × an even split.</source>
        <translation>视运气 {low} 至 {high}，平均的流 {mean}；最忙链路为均分的 {stretch} 倍。</translation>
    </message>
    <message>
        <source>left of the port&apos;s rate, over packets lost</source>
        <translation>端口速率剩余（横轴：丢包率）</translation>
    </message>
    <message>
        <source>headroom {headroom}, buffer ends at {bytes}</source>
        <translation>余量 {headroom}，缓存至 {bytes}</translation>
    </message>
    <message>
        <source>Flows are hashed to equal paths; queue pairs of a connection: {count}.</source>
        <translation>流哈希到等价路径；每个连接的队列对数：{count}。</translation>
    </message>
    <message>
        <source>Flows are hashed to equal paths (assumed); queue pairs of a connection: {count}.</source>
        <translation>流哈希到等价路径（假设）；每个连接的队列对数：{count}。</translation>
    </message>
</context>
<context>
    <name>HealthView</name>
    <message>
        <source>Network health</source>
        <translation>网络健康</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Show the settings of lossless Ethernet in the inspector</source>
        <translation>在属性中显示无损以太网的设置</translation>
    </message>
    <message>
        <source>Export settings…</source>
        <translation>导出配置…</translation>
    </message>
    <message>
        <source>SONiC, NVUE, NIC commands and NCCL variables, as a proposal</source>
        <translation>SONiC、NVUE、网卡命令与 NCCL 变量，均为建议</translation>
    </message>
    <message>
        <source>Headroom against buffer</source>
        <translation>余量与缓存</translation>
    </message>
    <message>
        <source>Loss of packets</source>
        <translation>丢包</translation>
    </message>
    <message>
        <source>Marking and pausing, bytes in a queue</source>
        <translation>标记与暂停（队列中的字节数）</translation>
    </message>
    <message>
        <source>Bursts to one port</source>
        <translation>单端口突发</translation>
    </message>
    <message>
        <source>Equal-cost paths</source>
        <translation>等价路径</translation>
    </message>
    <message>
        <source>Figures, formulas, sources</source>
        <translation>数值、公式与来源</translation>
    </message>
    <message>
        <source>Nothing runs between servers yet.</source>
        <translation>服务器之间尚无通信。</translation>
    </message>
    <message>
        <source>The buffers of these switches are not known.</source>
        <translation>这些交换机的缓存未知。</translation>
    </message>
    <message>
        <source>The checks do not run.</source>
        <translation>检查未运行。</translation>
    </message>
    <message>
        <source>Restart them to see the network.</source>
        <translation>重新启动检查以查看网络。</translation>
    </message>
    <message>
        <source>Working out the network…</source>
        <translation>正在计算网络…</translation>
    </message>
    <message>
        <source>There is no network between servers yet.</source>
        <translation>服务器之间尚无网络。</translation>
    </message>
    <message>
        <source>Draw switches and link servers to them, and buffers and thresholds are worked out.</source>
        <translation>画出交换机并连接服务器，即可计算缓存与阈值。</translation>
    </message>
</context>
<context>
    <name>InlineRename</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>Project</source>
        <translation>工程</translation>
    </message>
    <message>
        <source>Design</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Switches</source>
        <translation>交换机</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>链路</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>功率</translation>
    </message>
    <message>
        <source>Project data</source>
        <translation>工程资料</translation>
    </message>
    <message>
        <source>Customer</source>
        <translation>客户</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>Revision</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Drawing number</source>
        <translation>图号</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Variant of</source>
        <translation>派生自</translation>
    </message>
    <message>
        <source>Budgets, per server</source>
        <translation>预算（每台服务器）</translation>
    </message>
    <message>
        <source>not stated</source>
        <translation>未指定</translation>
    </message>
    <message>
        <source>default ({value})</source>
        <translation>默认（{value}）</translation>
    </message>
    <message>
        <source>A whole number from 1 is expected.</source>
        <translation>应为不小于 1 的整数。</translation>
    </message>
    <message>
        <source>{count} × {kind}</source>
        <translation>{count} × {kind}</translation>
    </message>
    <message>
        <source>Placed against the rules.</source>
        <translation>违反规则放置。</translation>
    </message>
    <message>
        <source>Slot</source>
        <translation>插槽</translation>
    </message>
    <message>
        <source>Budgets</source>
        <translation>预算</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>A template over the axes: {su1} counts from 1, {su} from 0, {index1:03} over all members.</source>
        <translation>按轴展开的模板：{su1} 从 1 计数，{su} 从 0 计数，{index1:03} 为全部成员的连续编号。</translation>
    </message>
    <message>
        <source>{first} … {last}</source>
        <translation>{first} … {last}</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>型号</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>Axes</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>How the members are counted, such as su=2, node=16.</source>
        <translation>成员的编号方式，例如 su=2, node=16。</translation>
    </message>
    <message>
        <source>not in a slot</source>
        <translation>不在插槽中</translation>
    </message>
    <message>
        <source>Forced</source>
        <translation>强制</translation>
    </message>
    <message>
        <source>keep against the rules</source>
        <translation>违反规则仍保留</translation>
    </message>
    <message>
        <source>Recorded in the project; the rules still report it.</source>
        <translation>记录在工程中；规则检查仍会报告。</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>such as {example}</source>
        <translation>例如 {example}</translation>
    </message>
    <message>
        <source>Cages and how each is split; the others stay at their default.</source>
        <translation>笼子及各自的拆分方式；其余保持默认。</translation>
    </message>
    <message>
        <source>Breakout</source>
        <translation>端口拆分</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Exceptions</source>
        <translation>例外成员</translation>
    </message>
    <message>
        <source>Ports</source>
        <translation>端口</translation>
    </message>
    <message>
        <source>End A</source>
        <translation>A 端</translation>
    </message>
    <message>
        <source>End B</source>
        <translation>B 端</translation>
    </message>
    <message>
        <source>item:ports, such as leaf:1-32/1-2</source>
        <translation>条目与端口以半角冒号分隔，例如 leaf:1-32/1-2</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>负载</translation>
    </message>
    <message>
        <source>Part of the chassis</source>
        <translation>机箱自带</translation>
    </message>
    <message>
        <source>Medium</source>
        <translation>介质</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>速率</translation>
    </message>
    <message>
        <source>cable chosen</source>
        <translation>线缆自动选择</translation>
    </message>
    <message>
        <source>&apos;{item}&apos; is not on this sheet.</source>
        <translation>“{item}”不在此图纸页上。</translation>
    </message>
    <message>
        <source>A port is missing after the colon.</source>
        <translation>冒号后缺少端口。</translation>
    </message>
    <message>
        <source>{item} has no port {port}.</source>
        <translation>{item} 没有端口 {port}。</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>one after the other</source>
        <translation>依次轮转</translation>
    </message>
    <message>
        <source>deal: ports of one side go out over the other in order</source>
        <translation>deal：一侧的端口依次轮流接到另一侧</translation>
    </message>
    <message>
        <source>each with each</source>
        <translation>全互联</translation>
    </message>
    <message>
        <source>mesh: every member of one side meets all of the other</source>
        <translation>mesh：一侧的每个成员与另一侧的全部成员相连</translation>
    </message>
    <message>
        <source>cable by cable</source>
        <translation>逐根指定</translation>
    </message>
    <message>
        <source>Wiring</source>
        <translation>接线</translation>
    </message>
    <message>
        <source>Matching axes</source>
        <translation>对应轴</translation>
    </message>
    <message>
        <source>Members meet only where these axes are equal, such as su.</source>
        <translation>仅当这些轴相等时成员才互连，例如 su。</translation>
    </message>
    <message>
        <source>Cables per pair</source>
        <translation>每对线缆数</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速率</translation>
    </message>
    <message>
        <source>what both ends do</source>
        <translation>由两端决定</translation>
    </message>
    <message>
        <source>Per port, such as 400G.</source>
        <translation>每端口，例如 400G。</translation>
    </message>
    <message>
        <source>chosen by the program</source>
        <translation>自动选择</translation>
    </message>
    <message>
        <source>Cable</source>
        <translation>线缆</translation>
    </message>
    <message>
        <source>A length in metres is expected.</source>
        <translation>应为以米为单位的长度。</translation>
    </message>
    <message>
        <source>Length, m</source>
        <translation>长度 (m)</translation>
    </message>
    <message>
        <source>from the racks</source>
        <translation>按机柜位置计算</translation>
    </message>
    <message>
        <source>Busiest cable</source>
        <translation>最忙线缆</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>different</source>
        <translation>不一致</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>链路</translation>
    </message>
    <message>
        <source>{count} selected</source>
        <translation>已选 {count} 项</translation>
    </message>
    <message>
        <source>Slot, {kind}</source>
        <translation>插槽，{kind}</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>外形</translation>
    </message>
    <message>
        <source>Fed by</source>
        <translation>供给端</translation>
    </message>
    <message>
        <source>Splits</source>
        <translation>可用拆分</translation>
    </message>
    <message>
        <source>CXL</source>
        <translation>CXL</translation>
    </message>
    <message>
        <source>Card</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Select {item}</source>
        <translation>选择 {item}</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>x{lanes} in x{connector}</source>
        <translation>x{lanes}（x{connector} 插槽）</translation>
    </message>
    <message>
        <source>Further settings</source>
        <translation>更多设置</translation>
    </message>
    <message>
        <source>Transceiver A</source>
        <translation>A 端光模块</translation>
    </message>
    <message>
        <source>Transceiver B</source>
        <translation>B 端光模块</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>{slot} ({count} stated)</source>
        <translation>{slot}（已陈述 {count} 项）</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>插槽</translation>
    </message>
    <message>
        <source>{label}, {unit}</source>
        <translation>{label} ({unit})</translation>
    </message>
    <message>
        <source>{label}, end {end}</source>
        <translation>{label}，{end} 端</translation>
    </message>
    <message>
        <source>Read by {rules}.</source>
        <translation>由 {rules} 读取。</translation>
    </message>
    <message>
        <source>A number is expected.</source>
        <translation>应为数值。</translation>
    </message>
    <message>
        <source>A number from {low} to {high} is expected.</source>
        <translation>应为 {low} 到 {high} 的数值。</translation>
    </message>
    <message>
        <source>A number from {low} on is expected.</source>
        <translation>应为不小于 {low} 的数值。</translation>
    </message>
    <message>
        <source>Facts</source>
        <translation>事实</translation>
    </message>
    <message>
        <source>{text} (estimate)</source>
        <translation>{text}（估算值）</translation>
    </message>
    <message>
        <source>Exports</source>
        <translation>对外端口组</translation>
    </message>
    <message>
        <source>Racks</source>
        <translation>机柜</translation>
    </message>
    <message>
        <source>Only the wiring &apos;each with each&apos; has several cables per pair.</source>
        <translation>只有“全互联”的接线方式才有每对多根线缆。</translation>
    </message>
</context>
<context>
    <name>InspectorPanel</name>
    <message>
        <source>Edits apply to all {count} servers</source>
        <translation>修改应用于全部 {count} 台服务器</translation>
    </message>
</context>
<context>
    <name>JobOptions</name>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>as the pack</source>
        <translation>与导出包相同</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>the open one</source>
        <translation>当前方案</translation>
    </message>
    <message>
        <source>Design</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Name in the list</source>
        <translation>列表中的名称</translation>
    </message>
    <message>
        <source>File name</source>
        <translation>文件名</translation>
    </message>
    <message>
        <source>Fields of the file name: {names}</source>
        <translation>文件名字段：{names}</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>part</source>
        <translation>部件</translation>
    </message>
    <message>
        <source>rack</source>
        <translation>机柜</translation>
    </message>
    <message>
        <source>server type</source>
        <translation>服务器类型</translation>
    </message>
    <message>
        <source>phase</source>
        <translation>阶段</translation>
    </message>
</context>
<context>
    <name>LabelDialog</name>
    <message>
        <source>Cable labels</source>
        <translation>线缆标签</translation>
    </message>
    <message>
        <source>A label for every end of every cable. Without a text of your own it says where both ends are.</source>
        <translation>每根线缆的每一端各一张标签。未自定文字时，标签注明两端位置。</translation>
    </message>
    <message>
        <source>Sheet</source>
        <translation>标签纸</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>Fields: {fields}</source>
        <translation>字段：{fields}</translation>
    </message>
    <message>
        <source>Write…</source>
        <translation>写入…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Such as: {label}</source>
        <translation>示例：{label}</translation>
    </message>
</context>
<context>
    <name>LayoutsDialog</name>
    <message>
        <source>Find layout</source>
        <translation>搜索布局</translation>
    </message>
    <message>
        <source>Every TP, PP, DP, CP and EP that divides and fits, with micro-batch, interleaving, ZeRO and recomputation; batch, precision and offload stay.</source>
        <translation>所有可整除且放得下的 TP、PP、DP、CP、EP，连同微批量、交错、ZeRO 和重计算；批量、精度和卸载保持不变。</translation>
    </message>
    <message>
        <source>Use this</source>
        <translation>采用</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Search again</source>
        <translation>重新搜索</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>The checks do not run; restart them in the status bar.</source>
        <translation>检查未运行；请在状态栏重新启动。</translation>
    </message>
    <message>
        <source>{done} of {total} layouts looked at, {fit} run.</source>
        <translation>已查看 {done} / {total} 个布局，{fit} 个可运行。</translation>
    </message>
    <message>
        <source>Stopped after {done} of {total} layouts; {fit} run.</source>
        <translation>已在 {done} / {total} 个布局后停止；{fit} 个可运行。</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步时</translation>
    </message>
    <message>
        <source>Per GPU</source>
        <translation>每 GPU</translation>
    </message>
    <message>
        <source>Nothing yet.</source>
        <translation>暂无结果。</translation>
    </message>
    <message>
        <source>{layout} is in use; Undo takes it back.</source>
        <translation>已采用 {layout}；可撤销。</translation>
    </message>
    <message>
        <source>Choose a layout in the list first.</source>
        <translation>请先在列表中选择一种布局。</translation>
    </message>
</context>
<context>
    <name>LinkMenu</name>
    <message>
        <source>Link to…</source>
        <translation>连接到…</translation>
    </message>
    <message>
        <source>on this sheet</source>
        <translation>在此图纸页上</translation>
    </message>
</context>
<context>
    <name>LookBox</name>
    <message>
        <source>The network that fits best</source>
        <translation>最合适的网络</translation>
    </message>
    <message>
        <source>State the number of servers or GPUs.</source>
        <translation>请填写服务器数或 GPU 数。</translation>
    </message>
    <message>
        <source>Working it out…</source>
        <translation>正在计算…</translation>
    </message>
</context>
<context>
    <name>MainToolBar</name>
    <message>
        <source>Checked</source>
        <translation>检查完成</translation>
    </message>
    <message>
        <source>no problems</source>
        <translation>没有问题</translation>
    </message>
    <message>
        <source>Show the problems</source>
        <translation>显示问题</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Not checked</source>
        <translation>未检查</translation>
    </message>
    <message>
        <source>Checking …</source>
        <translation>检查中…</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>As opened</source>
        <translation>打开时的状态</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Open recent</source>
        <translation>最近打开</translation>
    </message>
    <message>
        <source>No files yet</source>
        <translation>还没有文件</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Undo: {what}</source>
        <translation>撤销：{what}</translation>
    </message>
    <message>
        <source>Redo: {what}</source>
        <translation>重做：{what}</translation>
    </message>
    <message>
        <source>Align and distribute</source>
        <translation>对齐与分布</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>叠放次序</translation>
    </message>
    <message>
        <source>{name} (read-only)</source>
        <translation>{name}（只读）</translation>
    </message>
    <message>
        <source>As restored; its {count} earlier edits cannot be undone</source>
        <translation>已恢复；此前的 {count} 次编辑不能撤销</translation>
    </message>
</context>
<context>
    <name>MatrixModel</name>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>{one} to {two}: {word}; NCCL sees {nccl}</source>
        <translation>{one} 到 {two}：{word}；NCCL 视为 {nccl}</translation>
    </message>
    <message>
        <source>{rate} GB/s {way}</source>
        <translation>{rate} GB/s，{way}</translation>
    </message>
</context>
<context>
    <name>NamingPane</name>
    <message>
        <source>Racks and names</source>
        <translation>机柜与名称</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Goes into</source>
        <translation>放入</translation>
    </message>
    <message>
        <source>Opens on</source>
        <translation>打开后显示</translation>
    </message>
    <message>
        <source>a new project</source>
        <translation>新工程</translation>
    </message>
    <message>
        <source>the open project, as another design</source>
        <translation>当前工程，作为另一个设计</translation>
    </message>
    <message>
        <source>the drawing</source>
        <translation>图纸</translation>
    </message>
    <message>
        <source>the racks</source>
        <translation>机柜</translation>
    </message>
    <message>
        <source>Rack type, power, height and where leafs stand are among the requirements: go back to change them.</source>
        <translation>机柜型号、功率、高度以及 Leaf 的位置属于需求，返回即可修改。</translation>
    </message>
    <message>
        <source> and {count} more</source>
        <translation> 及另外 {count} 个</translation>
    </message>
    <message>
        <source>Design {name}</source>
        <translation>方案 {name}</translation>
    </message>
</context>
<context>
    <name>NetboxDialog</name>
    <message>
        <source>Import NetBox device type</source>
        <translation>导入 NetBox 设备类型</translation>
    </message>
    <message>
        <source>Community data from {file}; it replaces no part of the catalogue.</source>
        <translation>来自 {file} 的社区数据；不替换部件目录中的任何部件。</translation>
    </message>
    <message>
        <source>Understood</source>
        <translation>已识别</translation>
    </message>
    <message>
        <source>Inferred</source>
        <translation>推断</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>未采用</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Catalogue</source>
        <translation>部件目录</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>The catalogue&apos;s part, with the figures of the record laid over it</source>
        <translation>部件目录中的部件，以记录中的参数覆盖</translation>
    </message>
    <message>
        <source>The record alone</source>
        <translation>只用记录</translation>
    </message>
    <message>
        <source>Make the own part from</source>
        <translation>自有部件的依据</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Make own part…</source>
        <translation>创建自有部件…</translation>
    </message>
    <message>
        <source>Height {height} U</source>
        <translation>高度 {height} U</translation>
    </message>
    <message>
        <source>Weight {weight} kg</source>
        <translation>重量 {weight} kg</translation>
    </message>
    <message>
        <source>Airflow {airflow}</source>
        <translation>风向 {airflow}</translation>
    </message>
    <message>
        <source>Power supplies: {count}</source>
        <translation>电源模块：{count} 个</translation>
    </message>
    <message>
        <source>Interfaces: {rows}</source>
        <translation>接口：{rows}</translation>
    </message>
    <message>
        <source>Kind: {kind}</source>
        <translation>类别：{kind}</translation>
    </message>
    <message>
        <source>Cages: {rows}</source>
        <translation>笼子：{rows}</translation>
    </message>
    <message>
        <source>Every figure counts as inferred until somebody reads a datasheet.</source>
        <translation>在核对数据手册之前，所有参数均按推断计。</translation>
    </message>
    <message>
        <source>Module bays: {count}, kept as a note</source>
        <translation>模块位：{count} 个，记入备注</translation>
    </message>
    <message>
        <source>Device bays: {count}</source>
        <translation>设备位：{count} 个</translation>
    </message>
    <message>
        <source>Console ports: {count}</source>
        <translation>控制台口：{count} 个</translation>
    </message>
    <message>
        <source>Not in a record of NetBox: PCIe lanes and wiring, buffers, breakouts, latency, power by load.</source>
        <translation>NetBox 记录中没有：PCIe 通道与布线、缓存、端口拆分、时延、各负载下的功耗。</translation>
    </message>
    <message>
        <source>The catalogue has this model; fields that differ: {count}</source>
        <translation>部件目录中已有此型号；有 {count} 个字段不同</translation>
    </message>
    <message>
        <source>The catalogue has this model and agrees with the record</source>
        <translation>部件目录中已有此型号，且与记录一致</translation>
    </message>
</context>
<context>
    <name>Outline</name>
    <message>
        <source>Fabric</source>
        <translation>组网</translation>
    </message>
    <message>
        <source>{items} items</source>
        <translation>{items} 项</translation>
    </message>
    <message>
        <source>{part}, in {slot}</source>
        <translation>{part}，位于 {slot}</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>链路</translation>
    </message>
</context>
<context>
    <name>OutlinePanel</name>
    <message>
        <source>Outline</source>
        <translation>大纲</translation>
    </message>
</context>
<context>
    <name>OwnPart</name>
    <message>
        <source>Port</source>
        <translation>端口</translation>
    </message>
    <message>
        <source>Medium</source>
        <translation>介质</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Rate, Gb/s</source>
        <translation>速率 (Gb/s)</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>PCIe generation</source>
        <translation>PCIe 代际</translation>
    </message>
    <message>
        <source>Cage</source>
        <translation>笼子</translation>
    </message>
    <message>
        <source>May also carry</source>
        <translation>也可承载</translation>
    </message>
    <message>
        <source>Cable connector</source>
        <translation>线缆接口</translation>
    </message>
    <message>
        <source>Connectors</source>
        <translation>接口</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Ports × rate, for example 1x400 or 2x200</source>
        <translation>端口数×速率，例如 1x400 或 2x200</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Ports</source>
        <translation>端口</translation>
    </message>
    <message>
        <source>Other splits</source>
        <translation>其他拆分</translation>
    </message>
    <message>
        <source>Ports behind it</source>
        <translation>其后的端口</translation>
    </message>
    <message>
        <source>Plugs</source>
        <translation>可插模块</translation>
    </message>
    <message>
        <source>Item and port inside, item:port</source>
        <translation>内部条目与端口，item:port</translation>
    </message>
    <message>
        <source>Slot</source>
        <translation>插槽</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Length in lanes</source>
        <translation>物理通道数</translation>
    </message>
    <message>
        <source>Fed by</source>
        <translation>供给端</translation>
    </message>
    <message>
        <source>Card length</source>
        <translation>卡长</translation>
    </message>
    <message>
        <source>Card height</source>
        <translation>卡高</translation>
    </message>
    <message>
        <source>Widest card, slots</source>
        <translation>最宽的卡（槽位）</translation>
    </message>
    <message>
        <source>Covered neighbour</source>
        <translation>被遮挡的相邻插槽</translation>
    </message>
    <message>
        <source>From the slot, W</source>
        <translation>插槽供电 (W)</translation>
    </message>
    <message>
        <source>Auxiliary, W</source>
        <translation>辅助供电 (W)</translation>
    </message>
    <message>
        <source>Bifurcation</source>
        <translation>通道拆分</translation>
    </message>
    <message>
        <source>Open end</source>
        <translation>末端开口</translation>
    </message>
    <message>
        <source>net: a network cage; up: towards the CPU; down: away from it; root: a CPU&apos;s root port</source>
        <translation>net：网络笼子；up：朝向 CPU；down：背向 CPU；root：CPU 的根端口</translation>
    </message>
    <message>
        <source>Where the value comes from</source>
        <translation>数值来源</translation>
    </message>
    <message>
        <source>How sure</source>
        <translation>可信度</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>yours</source>
        <translation>自填</translation>
    </message>
    <message>
        <source>several</source>
        <translation>多个</translation>
    </message>
    <message>
        <source>Export catalogue pack</source>
        <translation>导出部件包</translation>
    </message>
    <message>
        <source>Import catalogue pack</source>
        <translation>导入部件包</translation>
    </message>
    <message>
        <source>Import NetBox device type</source>
        <translation>导入 NetBox 设备类型</translation>
    </message>
    <message>
        <source>NetBox device type (*.yaml *.yml)</source>
        <translation>NetBox 设备类型 (*.yaml *.yml)</translation>
    </message>
    <message>
        <source>Catalogue pack (*.fwcat)</source>
        <translation>部件包 (*.fwcat)</translation>
    </message>
    <message>
        <source>Remove {part} from my parts?</source>
        <translation>从自有部件中删除 {part} 吗？</translation>
    </message>
    <message>
        <source>The open project uses it and keeps its own copy. This cannot be undone.</source>
        <translation>打开的工程正在使用它，并保留自己的副本。此操作不能撤销。</translation>
    </message>
    <message>
        <source>Projects that use it keep their copies. This cannot be undone.</source>
        <translation>使用它的工程保留各自的副本。此操作不能撤销。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Chassis</source>
        <translation>机箱</translation>
    </message>
    <message>
        <source>General</source>
        <translation>常规</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Cages</source>
        <translation>笼子</translation>
    </message>
    <message>
        <source>Modes</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>插槽</translation>
    </message>
    <message>
        <source>Inside</source>
        <translation>内部</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>编号 (id)</translation>
    </message>
    <message>
        <source>Vendor</source>
        <translation>厂商</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>型号</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Default mode</source>
        <translation>默认模式</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>{table}: {place}</source>
        <translation>{table}：{place}</translation>
    </message>
</context>
<context>
    <name>PackDialog</name>
    <message>
        <source>Export pack</source>
        <translation>导出包</translation>
    </message>
    <message>
        <source>Output jobs</source>
        <translation>输出作业</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Usual jobs</source>
        <translation>恢复常用作业</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Keep jobs in project</source>
        <translation>作业存入工程</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Files appear whole, with a list of their checksums. It can be stopped.</source>
        <translation>文件写完才出现，并附校验清单；可随时停止。</translation>
    </message>
    <message>
        <source>Stopped; nothing was written.</source>
        <translation>已停止，没有写入任何内容。</translation>
    </message>
    <message>
        <source>Writing {file}…</source>
        <translation>正在写入 {file}…</translation>
    </message>
    <message>
        <source>Saved {n} files to {folder}.</source>
        <translation>已将 {n} 个文件保存到 {folder}。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Export {n} jobs</source>
        <translation>导出 {n} 个作业</translation>
    </message>
    <message>
        <source>Export 1 job</source>
        <translation>导出 1 个作业</translation>
    </message>
    <message>
        <source>Stopped; the pack in the first language is written.</source>
        <translation>已停止；第一种语言的导出包已写入。</translation>
    </message>
</context>
<context>
    <name>PackExport</name>
    <message>
        <source>Export catalogue pack</source>
        <translation>导出部件包</translation>
    </message>
    <message>
        <source>My parts as a catalogue pack</source>
        <translation>自有部件打包</translation>
    </message>
    <message>
        <source>A pack is one file that others import. Parts of your own inside the chosen ones go along.</source>
        <translation>部件包是一个可供他人导入的文件。所选部件内部用到的自有部件会一并打包。</translation>
    </message>
    <message>
        <source>Parts of the pack</source>
        <translation>部件包内容</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>Who answers for the figures</source>
        <translation>对参数负责的人</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Numbers and dots, such as 1.2</source>
        <translation>数字与点，例如 1.2</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>A version is numbers and dots, such as 1.2.</source>
        <translation>版本只能是数字与点，例如 1.2。</translation>
    </message>
    <message>
        <source>Choose at least one part.</source>
        <translation>请至少选择一个部件。</translation>
    </message>
</context>
<context>
    <name>PackImport</name>
    <message>
        <source>Import catalogue pack</source>
        <translation>导入部件包</translation>
    </message>
    <message>
        <source>Version {version} by {author}</source>
        <translation>{version} 版，作者 {author}</translation>
    </message>
    <message>
        <source>New parts: {count}</source>
        <translation>新部件：{count} 个</translation>
    </message>
    <message>
        <source>You have them in the same form: {count}</source>
        <translation>已有且相同：{count} 个</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Mine</source>
        <translation>现有</translation>
    </message>
    <message>
        <source>Theirs</source>
        <translation>部件包</translation>
    </message>
    <message>
        <source>You have them with other content: {count}</source>
        <translation>已有但内容不同：{count} 个</translation>
    </message>
    <message>
        <source>Keep all mine</source>
        <translation>全部保留现有</translation>
    </message>
    <message>
        <source>Take all theirs</source>
        <translation>全部采用部件包</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>{names} and {count} more</source>
        <translation>{names} 及另外 {count} 个</translation>
    </message>
    <message>
        <source>ships with the program and stays as it is</source>
        <translation>随程序提供，保持不变</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>保留现有</translation>
    </message>
    <message>
        <source>Take theirs</source>
        <translation>采用部件包</translation>
    </message>
    <message>
        <source>Which {part} stays</source>
        <translation>{part} 保留哪一方</translation>
    </message>
    <message>
        <source>Added: {added}, replaced: {replaced}; all others stay as they are.</source>
        <translation>新增 {added} 个，替换 {replaced} 个；其余不变。</translation>
    </message>
</context>
<context>
    <name>PackPreview</name>
    <message>
        <source>Pages</source>
        <translation>页</translation>
    </message>
    <message>
        <source>Page before</source>
        <translation>上一页</translation>
    </message>
    <message>
        <source>Next page</source>
        <translation>下一页</translation>
    </message>
    <message>
        <source>{n} of {m}, {title}</source>
        <translation>第 {n} / {m} 页，{title}</translation>
    </message>
</context>
<context>
    <name>PackTarget</name>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Choose folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Project properties…</source>
        <translation>工程属性…</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>the program&apos;s own look</source>
        <translation>程序自带样式</translation>
    </message>
    <message>
        <source>Look of the report</source>
        <translation>报告样式</translation>
    </message>
    <message>
        <source>What is written</source>
        <translation>将要写入</translation>
    </message>
</context>
<context>
    <name>Page</name>
    <message>
        <source>Fix</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>and {count} more, see Problems</source>
        <translation>另有 {count} 项，见“问题”面板</translation>
    </message>
</context>
<context>
    <name>PageView</name>
    <message>
        <source>Drawing the preview…</source>
        <translation>正在绘制预览…</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Favourites</source>
        <translation>收藏</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>PCIe switch cards</source>
        <translation>PCIe 交换卡</translation>
    </message>
    <message>
        <source>Retimers</source>
        <translation>Retimer 卡</translation>
    </message>
    <message>
        <source>CXL memory</source>
        <translation>CXL 内存</translation>
    </message>
    <message>
        <source>NICs and DPUs</source>
        <translation>网卡与 DPU</translation>
    </message>
    <message>
        <source>Switches</source>
        <translation>交换机</translation>
    </message>
    <message>
        <source>Boxes and risers</source>
        <translation>外置箱与转接卡</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Racks and power</source>
        <translation>机柜与供电</translation>
    </message>
    <message>
        <source>Make own part from this…</source>
        <translation>由此创建自有部件…</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Export as pack…</source>
        <translation>导出为部件包…</translation>
    </message>
    <message>
        <source>Export my parts as pack…</source>
        <translation>自有部件导出为部件包…</translation>
    </message>
    <message>
        <source>Import pack…</source>
        <translation>导入部件包…</translation>
    </message>
    <message>
        <source>Import NetBox device type…</source>
        <translation>导入 NetBox 设备类型…</translation>
    </message>
    <message>
        <source>My parts</source>
        <translation>自有部件</translation>
    </message>
    <message>
        <source>My blocks</source>
        <translation>我的模块</translation>
    </message>
    <message>
        <source>Block: cards of a server</source>
        <translation>模块：服务器内的卡</translation>
    </message>
    <message>
        <source>Block for a fabric sheet</source>
        <translation>模块：用于组网图</translation>
    </message>
    <message>
        <source>Block that cannot be read</source>
        <translation>无法读取的模块</translation>
    </message>
</context>
<context>
    <name>PalettePanel</name>
    <message>
        <source>Remove from favourites</source>
        <translation>取消收藏</translation>
    </message>
    <message>
        <source>Add to favourites</source>
        <translation>加入收藏</translation>
    </message>
    <message>
        <source>Search parts</source>
        <translation>搜索部件</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>部件库</translation>
    </message>
    <message>
        <source>No part is called that.</source>
        <translation>没有叫这个名称的部件。</translation>
    </message>
    <message>
        <source>Try a model, a maker or a kind.</source>
        <translation>可尝试型号、厂商或类别。</translation>
    </message>
    <message>
        <source>Import and export parts</source>
        <translation>导入与导出部件</translation>
    </message>
    <message>
        <source>Put on the sheet</source>
        <translation>放到图上</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
</context>
<context>
    <name>Panels</name>
    <message>
        <source>{used} / {available}</source>
        <translation>{used} / {available}</translation>
    </message>
    <message>
        <source>{load} / {usable} kW</source>
        <translation>{load} / {usable} kW</translation>
    </message>
    <message>
        <source>{load} kW</source>
        <translation>{load} kW</translation>
    </message>
    <message>
        <source>Lanes, {cpu}</source>
        <translation>{cpu} 通道</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>供电</translation>
    </message>
    <message>
        <source>Power, {box}</source>
        <translation>{box} 供电</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>Cages, per switch</source>
        <translation>笼子（每台交换机）</translation>
    </message>
    <message>
        <source>Lanes, per server</source>
        <translation>通道（每台服务器）</translation>
    </message>
    <message>
        <source>Power, per server</source>
        <translation>供电（每台服务器）</translation>
    </message>
    <message>
        <source>read from the source</source>
        <translation>来源可查</translation>
    </message>
    <message>
        <source>engineering estimate</source>
        <translation>工程估算</translation>
    </message>
    <message>
        <source>inferred</source>
        <translation>推断</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>{confidence}; source: {source}</source>
        <translation>{confidence}；来源：{source}</translation>
    </message>
    <message>
        <source>estimate</source>
        <translation>估算值</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>NIC</source>
        <translation>网卡</translation>
    </message>
    <message>
        <source>PCIe switch</source>
        <translation>PCIe 交换芯片</translation>
    </message>
    <message>
        <source>PCIe switch card</source>
        <translation>PCIe 交换卡</translation>
    </message>
    <message>
        <source>Retimer</source>
        <translation>Retimer 卡</translation>
    </message>
    <message>
        <source>CXL memory</source>
        <translation>CXL 内存</translation>
    </message>
    <message>
        <source>Switch</source>
        <translation>交换机</translation>
    </message>
    <message>
        <source>Rack</source>
        <translation>机柜</translation>
    </message>
    <message>
        <source>NVMe drive</source>
        <translation>NVMe 盘</translation>
    </message>
    <message>
        <source>NVSwitch</source>
        <translation>NVSwitch</translation>
    </message>
    <message>
        <source>External box</source>
        <translation>外置箱</translation>
    </message>
    <message>
        <source>Riser</source>
        <translation>转接卡</translation>
    </message>
    <message>
        <source>Storage server</source>
        <translation>存储服务器</translation>
    </message>
    <message>
        <source>Management server</source>
        <translation>管理服务器</translation>
    </message>
    <message>
        <source>PDU</source>
        <translation>PDU</translation>
    </message>
    <message>
        <source>Chipset</source>
        <translation>芯片组</translation>
    </message>
    <message>
        <source>Onboard network</source>
        <translation>板载网口</translation>
    </message>
    <message>
        <source>Management controller</source>
        <translation>管理控制器（BMC）</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算网络</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储网络</translation>
    </message>
    <message>
        <source>In-band</source>
        <translation>带内网络</translation>
    </message>
    <message>
        <source>Out of band</source>
        <translation>带外网络</translation>
    </message>
    <message>
        <source>Management</source>
        <translation>管理网络</translation>
    </message>
    <message>
        <source>Inside the server</source>
        <translation>服务器内部</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is not name=count.</source>
        <translation>“{text}”不是“名称=数量”的形式。</translation>
    </message>
    <message>
        <source>An axis is named twice.</source>
        <translation>轴名重复。</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is not cages=split, such as 1-8=2x200.</source>
        <translation>“{text}”不是“笼子=拆分”的形式，例如 1-8=2x200。</translation>
    </message>
    <message>
        <source>There is no cage {cage}.</source>
        <translation>没有笼子 {cage}。</translation>
    </message>
    <message>
        <source>Cage {cage} does {known}, not {split}.</source>
        <translation>笼子 {cage} 支持 {known}，不支持 {split}。</translation>
    </message>
    <message>
        <source>All-reduce</source>
        <translation>AllReduce</translation>
    </message>
    <message>
        <source>Reduce-scatter</source>
        <translation>ReduceScatter</translation>
    </message>
    <message>
        <source>All-gather</source>
        <translation>AllGather</translation>
    </message>
    <message>
        <source>All-to-all</source>
        <translation>AllToAll</translation>
    </message>
    <message>
        <source>Broadcast</source>
        <translation>广播</translation>
    </message>
    <message>
        <source>Send and receive</source>
        <translation>点对点收发</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Approved</source>
        <translation>已批准</translation>
    </message>
    <message>
        <source>lanes</source>
        <translation>条</translation>
    </message>
    <message>
        <source>Ethernet</source>
        <translation>以太网</translation>
    </message>
    <message>
        <source>Socket link</source>
        <translation>CPU 互联</translation>
    </message>
    <message>
        <source>Management port</source>
        <translation>管理口</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>Bifurcation</source>
        <translation>通道拆分</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Lanes and generation</source>
        <translation>通道与代际</translation>
    </message>
    <message>
        <source>Lossless network</source>
        <translation>无损网络</translation>
    </message>
    <message>
        <source>Mechanics</source>
        <translation>机械结构</translation>
    </message>
    <message>
        <source>Memory and capacity</source>
        <translation>内存与容量</translation>
    </message>
    <message>
        <source>NICs, ports, cables, optics</source>
        <translation>网卡、端口、线缆、光模块</translation>
    </message>
    <message>
        <source>P2P and NUMA</source>
        <translation>P2P 与 NUMA</translation>
    </message>
    <message>
        <source>Power and cooling</source>
        <translation>供电与散热</translation>
    </message>
    <message>
        <source>Retimers and signal</source>
        <translation>Retimer 与信号</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>规模</translation>
    </message>
    <message>
        <source>Claims</source>
        <translation>声明值核对</translation>
    </message>
    <message>
        <source>Spine and leaf</source>
        <translation>叶脊网络</translation>
    </message>
    <message>
        <source>Fabric</source>
        <translation>组网</translation>
    </message>
    <message>
        <source>{measured}; at least {allowed}</source>
        <translation>{measured}；至少 {allowed}</translation>
    </message>
    <message>
        <source>{measured}; at most {allowed}</source>
        <translation>{measured}；至多 {allowed}</translation>
    </message>
    <message>
        <source>Cable</source>
        <translation>线缆</translation>
    </message>
    <message>
        <source>PCIe cable</source>
        <translation>PCIe 线缆</translation>
    </message>
    <message>
        <source>Fibre</source>
        <translation>光纤</translation>
    </message>
    <message>
        <source>Transceiver</source>
        <translation>光模块</translation>
    </message>
    <message>
        <source>Catalogue entry</source>
        <translation>目录条目</translation>
    </message>
    <message>
        <source>Show {part} in the list of parts</source>
        <translation>在部件库中显示 {part}</translation>
    </message>
    <message>
        <source>Only in this project; the catalogue has no part {part}.</source>
        <translation>仅存在于本工程；目录中没有部件 {part}。</translation>
    </message>
</context>
<context>
    <name>PartFacts</name>
    <message>
        <source>x{lanes} to {modes}</source>
        <translation>x{lanes} 扇出 {modes}</translation>
    </message>
    <message>
        <source>internal</source>
        <translation>机内</translation>
    </message>
    <message>
        <source>external</source>
        <translation>机外</translation>
    </message>
    <message>
        <source>{count} GPUs</source>
        <translation>{count} GPU</translation>
    </message>
    <message>
        <source>{lanes} lanes PCIe {gen}.0</source>
        <translation>{lanes} 条 PCIe {gen}.0 通道</translation>
    </message>
</context>
<context>
    <name>PartForm</name>
    <message>
        <source>Edit own part</source>
        <translation>编辑自有部件</translation>
    </message>
    <message>
        <source>Make own part</source>
        <translation>创建自有部件</translation>
    </message>
    <message>
        <source>Default mode</source>
        <translation>默认模式</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Save and place</source>
        <translation>保存并放置</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>No figures are stated.</source>
        <translation>没有填写参数。</translation>
    </message>
    <message>
        <source>No fixed ports; those of cages follow from their splits.</source>
        <translation>没有固定端口；笼子的端口由其拆分决定。</translation>
    </message>
    <message>
        <source>Add a port</source>
        <translation>添加端口</translation>
    </message>
    <message>
        <source>No cages for transceivers or cables.</source>
        <translation>没有光模块或线缆的笼子。</translation>
    </message>
    <message>
        <source>Add a cage</source>
        <translation>添加笼子</translation>
    </message>
    <message>
        <source>One fixed set of ports; no modes to choose from.</source>
        <translation>端口固定，没有可选模式。</translation>
    </message>
    <message>
        <source>Add a mode</source>
        <translation>添加模式</translation>
    </message>
    <message>
        <source>No slots for cards or modules.</source>
        <translation>没有插卡或模块的插槽。</translation>
    </message>
    <message>
        <source>Add a slot</source>
        <translation>添加插槽</translation>
    </message>
    <message>
        <source>The wiring inside is that of the part it was made from; slots must agree with it.</source>
        <translation>内部布线沿用来源部件；插槽须与之一致。</translation>
    </message>
    <message>
        <source>made from {part}</source>
        <translation>由 {part} 创建</translation>
    </message>
    <message>
        <source>estimate</source>
        <translation>估算值</translation>
    </message>
    <message>
        <source>The wiring inside is assumed, not read from this part&apos;s source.</source>
        <translation>内部布线是假定的，并非读自此部件的来源。</translation>
    </message>
    <message>
        <source>Inferred from a name or other values, not read from a source.</source>
        <translation>由名称或其他数值推断，并非读自来源。</translation>
    </message>
    <message>
        <source>{count} to put right</source>
        <translation>{count} 处待更正</translation>
    </message>
    <message>
        <source>All fields hold together.</source>
        <translation>各字段相互一致。</translation>
    </message>
    <message>
        <source>{place}: {problem}</source>
        <translation>{place}：{problem}</translation>
    </message>
    <message>
        <source>{problem} (and {count} more)</source>
        <translation>{problem}（另有 {count} 处）</translation>
    </message>
    <message>
        <source>Discard this part?</source>
        <translation>放弃此部件吗？</translation>
    </message>
    <message>
        <source>What was typed has not been saved.</source>
        <translation>输入的内容尚未保存。</translation>
    </message>
</context>
<context>
    <name>Paths</name>
    <message>
        <source>over NVLink</source>
        <translation>经 NVLink</translation>
    </message>
    <message>
        <source>peer to peer over PCIe</source>
        <translation>PCIe 点对点直通</translation>
    </message>
    <message>
        <source>through host memory</source>
        <translation>经主机内存</translation>
    </message>
    <message>
        <source>by GPUDirect RDMA</source>
        <translation>GPUDirect RDMA</translation>
    </message>
    <message>
        <source>staged in host memory</source>
        <translation>经主机内存中转</translation>
    </message>
    <message>
        <source>over NVLink and another GPU&apos;s NIC</source>
        <translation>经 NVLink 由另一 GPU 的网卡（PXN）</translation>
    </message>
</context>
<context>
    <name>PathsPanel</name>
    <message>
        <source>Open a server to see the paths inside it.</source>
        <translation>打开一台服务器以查看其内部路径。</translation>
    </message>
    <message>
        <source>Working out the paths…</source>
        <translation>正在计算路径…</translation>
    </message>
    <message>
        <source>No NIC of this server has a cable, or it has no GPU.</source>
        <translation>此服务器的网卡均未接线，或没有 GPU。</translation>
    </message>
    <message>
        <source>To NICs</source>
        <translation>到网卡</translation>
    </message>
    <message>
        <source>GPUDirect RDMA</source>
        <translation>GPUDirect RDMA</translation>
    </message>
    <message>
        <source>Between GPUs</source>
        <translation>GPU 之间</translation>
    </message>
    <message>
        <source>Paths shown</source>
        <translation>显示的路径</translation>
    </message>
    <message>
        <source>Path classes</source>
        <translation>路径等级</translation>
    </message>
    <message>
        <source>Words of</source>
        <translation>路径等级写法</translation>
    </message>
    <message>
        <source>Copy the matrix</source>
        <translation>复制矩阵</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>复制为 CSV</translation>
    </message>
    <message>
        <source>PIX one switch, PXB several, PHB through the CPU, NODE between its root complexes, SYS over the socket link, NV# NVLink</source>
        <translation>PIX 经一个交换芯片，PXB 经多个，PHB 经 CPU，NODE 跨其根复合体，SYS 跨 CPU 互联，NV# 为 NVLink</translation>
    </message>
</context>
<context>
    <name>Performance</name>
    <message>
        <source>range {low} – {high}; {time}</source>
        <translation>范围 {low} – {high}；{time}</translation>
    </message>
    <message>
        <source>Limit: {what}, {percent} %</source>
        <translation>瓶颈：{what}，{percent}&#xa0;%</translation>
    </message>
    <message>
        <source>{algorithm} with {protocol}</source>
        <translation>{algorithm} 配 {protocol}</translation>
    </message>
    <message>
        <source>Others: {list}</source>
        <translation>其他：{list}</translation>
    </message>
    <message>
        <source>{what}: {limit} GB/s</source>
        <translation>{what}：{limit} GB/s</translation>
    </message>
    <message>
        <source>message per GPU</source>
        <translation>每 GPU 消息大小</translation>
    </message>
    <message>
        <source>undamaged</source>
        <translation>无故障</translation>
    </message>
    <message>
        <source>with the failure</source>
        <translation>故障时</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>{collective}, {ranks} ranks, {design}</source>
        <translation>{collective}，{ranks} 个 Rank，{design}</translation>
    </message>
    <message>
        <source>{title}; {address} down</source>
        <translation>{title}；{address} 故障</translation>
    </message>
    <message>
        <source>at the limit</source>
        <translation>达到上限</translation>
    </message>
    <message>
        <source>Hashed paths: slowest flow {share} % of its NIC port ({low}–{high} %), mean {mean} %</source>
        <translation>哈希选路：最慢的流为其网卡端口的 {share} %（{low}–{high} %），平均 {mean} %</translation>
    </message>
    <message>
        <source>Pinned paths: slowest flow {share} % of its NIC port ({low}–{high} %), mean {mean} %</source>
        <translation>固定路径：最慢的流为其网卡端口的 {share} %（{low}–{high} %），平均 {mean} %</translation>
    </message>
    <message>
        <source>{file}: {collective}, not shown here.</source>
        <translation>{file}：{collective}，此处不显示。</translation>
    </message>
    <message>
        <source>{file}: no row with right values.</source>
        <translation>{file}：没有数值正确的行。</translation>
    </message>
    <message>
        <source>{count} rows left out (cut off or wrong values).</source>
        <translation>未采用 {count} 行（被截断或数值有误）。</translation>
    </message>
    <message>
        <source>cable</source>
        <translation>线缆</translation>
    </message>
    <message>
        <source>NIC</source>
        <translation>网卡</translation>
    </message>
    <message>
        <source>leaf</source>
        <translation>Leaf</translation>
    </message>
    <message>
        <source>spine</source>
        <translation>Spine</translation>
    </message>
    <message>
        <source>core</source>
        <translation>Core</translation>
    </message>
    <message>
        <source>NVLink switch</source>
        <translation>NVLink 交换芯片</translation>
    </message>
    <message>
        <source>server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>does not run</source>
        <translation>无法运行</translation>
    </message>
    <message>
        <source>stops</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Lay nccl-tests logs over it…</source>
        <translation>叠加 nccl-tests 日志…</translation>
    </message>
    <message>
        <source>Fit profile…</source>
        <translation>拟合标定档…</translation>
    </message>
    <message>
        <source>Take the logs away</source>
        <translation>移除日志</translation>
    </message>
    <message>
        <source>Logarithmic axis for bandwidth</source>
        <translation>带宽用对数坐标</translation>
    </message>
    <message>
        <source>Copy as picture</source>
        <translation>复制为图片</translation>
    </message>
    <message>
        <source>Copy as SVG</source>
        <translation>复制为 SVG</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>复制为 CSV</translation>
    </message>
    <message>
        <source>Save chart…</source>
        <translation>保存图表…</translation>
    </message>
    <message>
        <source>Logs of nccl-tests</source>
        <translation>nccl-tests 日志</translation>
    </message>
    <message>
        <source>Logs (*.log *.txt *.out)</source>
        <translation>日志 (*.log *.txt *.out)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Fit profile</source>
        <translation>拟合标定档</translation>
    </message>
    <message>
        <source>Name of the profile (small letters, digits, hyphens)</source>
        <translation>标定档名称（小写字母、数字、连字符）</translation>
    </message>
    <message>
        <source>Save chart</source>
        <translation>保存图表</translation>
    </message>
    <message>
        <source>{file}: {points} points on {ranks} ranks; predicted time off by {median} % (median), at worst {worst} at {size}.</source>
        <translation>{file}：{ranks} 个 Rank，{points} 个测点；预测时间偏差中位数 {median} %，最大 {worst}（{size}）。</translation>
    </message>
    <message>
        <source>{collective}, 1 rank, {design}</source>
        <translation>{collective}，1 个 Rank，{design}</translation>
    </message>
</context>
<context>
    <name>PerformancePanel</name>
    <message>
        <source>Fabric peak: {link}, {percent} %</source>
        <translation>组网峰值负载：{link}，{percent}&#xa0;%</translation>
    </message>
    <message>
        <source>The prediction is not running.</source>
        <translation>预测未在运行。</translation>
    </message>
    <message>
        <source>Predicting…</source>
        <translation>正在预测…</translation>
    </message>
    <message>
        <source>Choose a collective</source>
        <translation>请选择集合通信</translation>
    </message>
    <message>
        <source>Collective</source>
        <translation>集合通信</translation>
    </message>
    <message>
        <source>Message size</source>
        <translation>消息大小</translation>
    </message>
    <message>
        <source>Bus bandwidth against message size</source>
        <translation>总线带宽（busbw）随消息大小的变化</translation>
    </message>
    <message>
        <source>Bus bandwidth per GPU</source>
        <translation>每 GPU 总线带宽（busbw）</translation>
    </message>
    <message>
        <source>Show on canvas</source>
        <translation>在画布上显示</translation>
    </message>
    <message>
        <source>The last edit changed nothing here: {what} binds as before.</source>
        <translation>上次修改在此没有影响：瓶颈仍是 {what}。</translation>
    </message>
    <message>
        <source>Fitting…</source>
        <translation>正在拟合…</translation>
    </message>
    <message>
        <source>Fit profile…</source>
        <translation>拟合标定档…</translation>
    </message>
    <message>
        <source>Failing one thing after the other…</source>
        <translation>正在遍历单点故障…</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>预测值</translation>
    </message>
    <message>
        <source>Failures</source>
        <translation>故障</translation>
    </message>
    <message>
        <source>Figures or failures</source>
        <translation>预测值或故障</translation>
    </message>
    <message>
        <source>Logs, copying and saving</source>
        <translation>日志、复制与保存</translation>
    </message>
    <message>
        <source>One GPU alone has nothing to exchange: a collective needs two.</source>
        <translation>只有一个 GPU，没有可交换的数据：集合通信至少需要两个。</translation>
    </message>
</context>
<context>
    <name>Preview</name>
    <message>
        <source>Smaller</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Larger</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Fit page</source>
        <translation>适合页面</translation>
    </message>
    <message>
        <source>Page {n} of {m}, {title}</source>
        <translation>第 {n} 页，共 {m} 页，{title}</translation>
    </message>
</context>
<context>
    <name>PriceList</name>
    <message>
        <source>not used</source>
        <translation>不使用</translation>
    </message>
    <message>
        <source>Part number</source>
        <translation>料号</translation>
    </message>
    <message>
        <source>Unit price</source>
        <translation>单价</translation>
    </message>
    <message>
        <source>Currency</source>
        <translation>币种</translation>
    </message>
    <message>
        <source>Discount</source>
        <translation>折扣</translation>
    </message>
    <message>
        <source>Tax rate</source>
        <translation>税率</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Lead time</source>
        <translation>货期</translation>
    </message>
    <message>
        <source>List date</source>
        <translation>价格日期</translation>
    </message>
    <message>
        <source>Vendor</source>
        <translation>厂商</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>描述</translation>
    </message>
    <message>
        <source>Import price list</source>
        <translation>导入价格表</translation>
    </message>
    <message>
        <source>Price lists (*.xlsx *.xlsm *.csv *.tsv *.txt)</source>
        <translation>价格表 (*.xlsx *.xlsm *.csv *.tsv *.txt)</translation>
    </message>
</context>
<context>
    <name>PriceListDialog</name>
    <message>
        <source>Import price list</source>
        <translation>导入价格表</translation>
    </message>
    <message>
        <source>Name of the list</source>
        <translation>价格表名称</translation>
    </message>
    <message>
        <source>Currency unless told</source>
        <translation>默认币种</translation>
    </message>
    <message>
        <source>Tax rate unless told</source>
        <translation>默认税率</translation>
    </message>
    <message>
        <source>Discount unless told</source>
        <translation>默认折扣</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Take the prices in</source>
        <translation>导入价格</translation>
    </message>
    <message>
        <source>Currency, tax or discount is not understood</source>
        <translation>无法识别币种、税率或折扣</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>The checks do not run; restart them first.</source>
        <translation>检查未运行，请先重新启动。</translation>
    </message>
    <message>
        <source>Sheet {sheet}, heads in row {row}</source>
        <translation>工作表 {sheet}，表头在第 {row} 行</translation>
    </message>
    <message>
        <source>Heads in row {row}</source>
        <translation>表头在第 {row} 行</translation>
    </message>
    <message>
        <source>Not taken in yet</source>
        <translation>尚未导入</translation>
    </message>
    <message>
        <source>{count} prices for {parts} parts</source>
        <translation>{count} 个价格，涉及 {parts} 种部件</translation>
    </message>
    <message>
        <source>{hit} of {all} parts of this project have a price then.</source>
        <translation>导入后，本工程 {all} 种部件中有 {hit} 种有价格。</translation>
    </message>
    <message>
        <source>{count} rows match no part and are left out:</source>
        <translation>{count} 行未匹配到部件，已略过：</translation>
    </message>
    <message>
        <source>{count} cells are not clear; their rows are left out</source>
        <translation>{count} 个单元格无法识别，所在行已略过</translation>
    </message>
    <message>
        <source>Listed twice</source>
        <translation>重复列出</translation>
    </message>
    <message>
        <source>Meaning of column {letter}</source>
        <translation>{letter} 列的含义</translation>
    </message>
    <message>
        <source>{hit} of {all} parts on the parts list have a price then.</source>
        <translation>导入后，物料清单的 {all} 种部件中有 {hit} 种有价格。</translation>
    </message>
</context>
<context>
    <name>Problems</name>
    <message>
        <source>Fix</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>Approve</source>
        <translation>批准</translation>
    </message>
    <message>
        <source>Go</source>
        <translation>定位</translation>
    </message>
    <message>
        <source>estimate</source>
        <translation>估算值</translation>
    </message>
    <message>
        <source>Approved: {count}, shown</source>
        <translation>已批准：{count} 项，已展开</translation>
    </message>
    <message>
        <source>Approved: {count}, folded away</source>
        <translation>已批准：{count} 项，已折叠</translation>
    </message>
    <message>
        <source>approval lapsed</source>
        <translation>批准已失效</translation>
    </message>
    <message>
        <source>Withdraw</source>
        <translation>撤回</translation>
    </message>
    <message>
        <source>{author}, {date}</source>
        <translation>{author}，{date}</translation>
    </message>
    <message>
        <source>{who}: {reason}</source>
        <translation>{who}：{reason}</translation>
    </message>
    <message>
        <source>Approved</source>
        <translation>已批准</translation>
    </message>
    <message>
        <source>Fix: {change}</source>
        <translation>修复：{change}</translation>
    </message>
</context>
<context>
    <name>ProblemsPanel</name>
    <message>
        <source>No problem matches the filter.</source>
        <translation>没有符合筛选条件的问题。</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>The checks are not running.</source>
        <translation>检查未在运行。</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>No problems.</source>
        <translation>没有问题。</translation>
    </message>
    <message>
        <source>No problems. {rules} rules, {seconds} s ago.</source>
        <translation>没有问题。{rules} 条规则，{seconds} s 前检查。</translation>
    </message>
    <message>
        <source>No problems. Checked {seconds} s ago.</source>
        <translation>没有问题。{seconds} s 前检查。</translation>
    </message>
    <message>
        <source>Go to the place</source>
        <translation>转到所在位置</translation>
    </message>
    <message>
        <source>Fix</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>Withdraw the approval</source>
        <translation>撤回批准</translation>
    </message>
    <message>
        <source>Approve…</source>
        <translation>批准…</translation>
    </message>
    <message>
        <source>Copy text</source>
        <translation>复制文本</translation>
    </message>
    <message>
        <source>Filter by rule, part, text</source>
        <translation>按规则、部件、文字筛选</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Explain the chosen problem</source>
        <translation>解释所选问题</translation>
    </message>
    <message>
        <source>Fold approved away</source>
        <translation>折叠已批准项</translation>
    </message>
    <message>
        <source>Show approved</source>
        <translation>显示已批准项</translation>
    </message>
    <message>
        <source>Fix all {count} of {rule}</source>
        <translation>修复 {rule} 的全部 {count} 个问题</translation>
    </message>
    <message>
        <source>Show only these rules</source>
        <translation>只显示这些规则</translation>
    </message>
    <message>
        <source>Show only this sheet</source>
        <translation>只显示此图纸页</translation>
    </message>
</context>
<context>
    <name>ProjectDialog</name>
    <message>
        <source>Project properties</source>
        <translation>工程属性</translation>
    </message>
    <message>
        <source>Title block and cover</source>
        <translation>标题栏与封面</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Customer</source>
        <translation>客户</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>工程</translation>
    </message>
    <message>
        <source>Drawing number</source>
        <translation>图号</translation>
    </message>
    <message>
        <source>Revision</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Drawn</source>
        <translation>设计</translation>
    </message>
    <message>
        <source>Checked</source>
        <translation>校对</translation>
    </message>
    <message>
        <source>Approved</source>
        <translation>批准</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Company</source>
        <translation>公司</translation>
    </message>
    <message>
        <source>as the title</source>
        <translation>与标题相同</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Prices</source>
        <translation>价格</translation>
    </message>
    <message>
        <source>Main currency</source>
        <translation>主币种</translation>
    </message>
    <message>
        <source>Tax unless told</source>
        <translation>默认税率</translation>
    </message>
    <message>
        <source>For prices that tell no rate of their own. Empty: not told.</source>
        <translation>用于未注明税率的价格。留空表示未知。</translation>
    </message>
    <message>
        <source>no rate: a sum of its own</source>
        <translation>无汇率：单独合计</translation>
    </message>
    <message>
        <source>Look of reports</source>
        <translation>报告样式</translation>
    </message>
    <message>
        <source>Template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>the program&apos;s own look</source>
        <translation>程序自带样式</translation>
    </message>
    <message>
        <source>Choose template…</source>
        <translation>选择模板…</translation>
    </message>
    <message>
        <source>No template</source>
        <translation>不用模板</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>1 {code} in {main}</source>
        <translation>1 {code} 折合 {main}</translation>
    </message>
    <message>
        <source>Date: expected such as 2026-01-31.</source>
        <translation>日期：应形如 2026-01-31。</translation>
    </message>
    <message>
        <source>Main currency: expected a code such as CNY.</source>
        <translation>主币种：应为 CNY 这样的代码。</translation>
    </message>
    <message>
        <source>Tax: expected a share such as 13%.</source>
        <translation>税率：应为 13% 这样的比例。</translation>
    </message>
    <message>
        <source>Rate of {code}: expected a number above 0, such as 7.1.</source>
        <translation>{code} 的汇率：应为大于 0 的数，例如 7.1。</translation>
    </message>
    <message>
        <source>A TOML or JSON file with name, accent, logo and footer. It is kept on this computer.</source>
        <translation>含名称、主色、标志和页脚的 TOML 或 JSON 文件。仅保存在本机。</translation>
    </message>
    <message>
        <source>Report templates (*.toml *.json)</source>
        <translation>报告模板 (*.toml *.json)</translation>
    </message>
</context>
<context>
    <name>RackView</name>
    <message>
        <source>Racks</source>
        <translation>机柜</translation>
    </message>
    <message>
        <source>Design</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Fold equal racks</source>
        <translation>折叠相同机柜</translation>
    </message>
    <message>
        <source>Seat by rule…</source>
        <translation>按规则上架…</translation>
    </message>
    <message>
        <source>No racks yet.</source>
        <translation>还没有机柜。</translation>
    </message>
    <message>
        <source>Seat the devices and see how they stand.</source>
        <translation>将设备上架，查看其摆放。</translation>
    </message>
    <message>
        <source>Draw servers and switches first.</source>
        <translation>请先画出服务器和交换机。</translation>
    </message>
    <message>
        <source>Seat the devices…</source>
        <translation>将设备上架…</translation>
    </message>
    <message>
        <source>{racks} racks in {rows} rows · {total} kW · fullest {most} kW</source>
        <translation>{racks} 个机柜，{rows} 列 · {total} kW · 最满 {most} kW</translation>
    </message>
    <message>
        <source>{count} not seated</source>
        <translation>{count} 台未上架</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Seat {group} by rule…</source>
        <translation>按规则上架 {group}…</translation>
    </message>
    <message>
        <source>Select all racks of {group}</source>
        <translation>选择 {group} 的所有机柜</translation>
    </message>
    <message>
        <source>Show all racks</source>
        <translation>显示所有机柜</translation>
    </message>
    <message>
        <source>Put back where the rule seats it</source>
        <translation>恢复到规则位置</translation>
    </message>
    <message>
        <source>{racks} racks in one row · {total} kW · fullest {most} kW</source>
        <translation>{racks} 个机柜，1 列 · {total} kW · 最满 {most} kW</translation>
    </message>
    <message>
        <source>One rack · {total} kW</source>
        <translation>1 个机柜 · {total} kW</translation>
    </message>
</context>
<context>
    <name>RackWords</name>
    <message>
        <source>Units</source>
        <translation>U 位</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>功率</translation>
    </message>
    <message>
        <source>One feed</source>
        <translation>单路供电</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>重量</translation>
    </message>
    <message>
        <source>{value} of {limit} {unit}</source>
        <translation>{value} / {limit} {unit}</translation>
    </message>
    <message>
        <source>Row {number}</source>
        <translation>第 {number} 列</translation>
    </message>
    <message>
        <source>Rows {numbers}</source>
        <translation>第 {numbers} 列</translation>
    </message>
    <message>
        <source>{units} of {rack}, {height} U</source>
        <translation>{rack} 的 {units}，高 {height} U</translation>
    </message>
    <message>
        <source>Moved by hand</source>
        <translation>手动移动</translation>
    </message>
    <message>
        <source>Heat: {heat} BTU/h</source>
        <translation>热量：{heat} BTU/h</translation>
    </message>
    <message>
        <source>Feeds: {count}</source>
        <translation>供电路数：{count}</translation>
    </message>
</context>
<context>
    <name>RecoveryBanner</name>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Unsaved work was found</source>
        <translation>发现未保存的工作</translation>
    </message>
    <message>
        <source>It is being read…</source>
        <translation>正在读取…</translation>
    </message>
</context>
<context>
    <name>RepeatDialog</name>
    <message>
        <source>Repeat</source>
        <translation>阵列复制</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>横向排列</translation>
    </message>
    <message>
        <source>Below</source>
        <translation>纵向排列</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>份数</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>方向</translation>
    </message>
    <message>
        <source>Step to the right</source>
        <translation>横向步距</translation>
    </message>
    <message>
        <source>Step down</source>
        <translation>纵向步距</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Repeat the selection</source>
        <translation>阵列复制所选</translation>
    </message>
    <message>
        <source>The copies take the free slots one after the other: {count} are free.</source>
        <translation>副本依次放入空闲插槽：空闲 {count} 个。</translation>
    </message>
</context>
<context>
    <name>ReplaceDialog</name>
    <message>
        <source>Replace a part</source>
        <translation>替换部件</translation>
    </message>
    <message>
        <source>Replace a part everywhere</source>
        <translation>在所有位置替换部件</translation>
    </message>
    <message>
        <source>Part to be replaced</source>
        <translation>要替换的部件</translation>
    </message>
    <message>
        <source>By</source>
        <translation>替换为</translation>
    </message>
    <message>
        <source>Search parts of the same kind</source>
        <translation>搜索同类部件</translation>
    </message>
    <message>
        <source>New part</source>
        <translation>新部件</translation>
    </message>
    <message>
        <source>All designs</source>
        <translation>所有方案</translation>
    </message>
    <message>
        <source>This design</source>
        <translation>当前方案</translation>
    </message>
    <message>
        <source>What does not map</source>
        <translation>无法对应的内容</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Choose the new part.</source>
        <translation>请选择新部件。</translation>
    </message>
    <message>
        <source>There is no other part of this kind.</source>
        <translation>没有其他同类部件。</translation>
    </message>
    <message>
        <source>{count} places get the new part.</source>
        <translation>{count} 处将换用新部件。</translation>
    </message>
    <message>
        <source>{count} things do not map as they are:</source>
        <translation>{count} 项无法原样对应：</translation>
    </message>
    <message>
        <source>One place gets the new part.</source>
        <translation>1 处将换用新部件。</translation>
    </message>
    <message>
        <source>One thing does not map as it is:</source>
        <translation>1 项无法原样对应：</translation>
    </message>
</context>
<context>
    <name>ReportDialog</name>
    <message>
        <source>Design report</source>
        <translation>设计报告</translation>
    </message>
    <message>
        <source>With the drawings</source>
        <translation>附图纸</translation>
    </message>
    <message>
        <source>Project properties…</source>
        <translation>工程属性…</translation>
    </message>
    <message>
        <source>Design</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Paper</source>
        <translation>纸张</translation>
    </message>
    <message>
        <source>Revision</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>样式</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Write…</source>
        <translation>写入…</translation>
    </message>
    <message>
        <source>the program&apos;s own look</source>
        <translation>程序自带样式</translation>
    </message>
    <message>
        <source>Summary, drawings, checks, performance, comparison of the designs, parts, assumptions.</source>
        <translation>摘要、图纸、检查、性能、方案对比、物料和假设。</translation>
    </message>
</context>
<context>
    <name>RequirementForm</name>
    <message>
        <source>choose</source>
        <translation>自动选择</translation>
    </message>
    <message>
        <source>as it fits</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>no growth</source>
        <translation>不扩容</translation>
    </message>
    <message>
        <source>any</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>as built in</source>
        <translation>服务器自带</translation>
    </message>
    <message>
        <source>as the leaf</source>
        <translation>与 Leaf 相同</translation>
    </message>
    <message>
        <source>as the spine</source>
        <translation>与 Spine 相同</translation>
    </message>
    <message>
        <source>any that fits</source>
        <translation>任何合适的</translation>
    </message>
    <message>
        <source>Ethernet (RoCE)</source>
        <translation>以太网（RoCE）</translation>
    </message>
    <message>
        <source>rail-aligned</source>
        <translation>按轨道对齐</translation>
    </message>
    <message>
        <source>no rails</source>
        <translation>不分轨道</translation>
    </message>
    <message>
        <source>as few as possible</source>
        <translation>尽可能少</translation>
    </message>
    <message>
        <source>as the leafs</source>
        <translation>与 Leaf 相同</translation>
    </message>
    <message>
        <source>not asked for</source>
        <translation>不要求</translation>
    </message>
    <message>
        <source>at the end of the row</source>
        <translation>列尾</translation>
    </message>
    <message>
        <source>in the middle</source>
        <translation>列中</translation>
    </message>
    <message>
        <source>in each rack</source>
        <translation>每个机柜内</translation>
    </message>
    <message>
        <source>all there are</source>
        <translation>全部</translation>
    </message>
</context>
<context>
    <name>ResultPane</name>
    <message>
        <source>Alternatives</source>
        <translation>备选方案</translation>
    </message>
    <message>
        <source>no other one is at least as good in everything. All-reduce and all-to-all: busbw.</source>
        <translation>没有其他方案在所有指标上都不逊于它。AllReduce 与 AllToAll 为 busbw。</translation>
    </message>
    <message>
        <source>against</source>
        <translation>对</translation>
    </message>
    <message>
        <source>Axis to the right</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>Axis upwards</source>
        <translation>纵轴</translation>
    </message>
    <message>
        <source>Design</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Growth</source>
        <translation>扩容</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>{name}, growing</source>
        <translation>方案 {name} 的扩容</translation>
    </message>
    <message>
        <source>{name}, as it will be drawn</source>
        <translation>方案 {name}，将如此绘制</translation>
    </message>
    <message>
        <source>Growing only adds: no cable of today is moved.</source>
        <translation>扩容只增不改：现有线缆都不用动。</translation>
    </message>
</context>
<context>
    <name>RoomView</name>
    <message>
        <source>{count} racks</source>
        <translation>{count} 个机柜</translation>
    </message>
</context>
<context>
    <name>RulePane</name>
    <message>
        <source>Measured and allowed</source>
        <translation>实测值与允许值</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>What is checked</source>
        <translation>检查内容</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Stop trying fixes</source>
        <translation>停止试用修复</translation>
    </message>
    <message>
        <source>Fix all {count}</source>
        <translation>全部修复（{count} 个）</translation>
    </message>
    <message>
        <source>Approved</source>
        <translation>已批准</translation>
    </message>
    <message>
        <source>The approval lapsed</source>
        <translation>批准已失效</translation>
    </message>
    <message>
        <source>It was given for {then}; now it is {now}.</source>
        <translation>批准时为 {then}；现为 {now}。</translation>
    </message>
    <message>
        <source>It was given for members {then}; now {now} are hit.</source>
        <translation>批准时涉及成员 {then}；现涉及 {now}。</translation>
    </message>
    <message>
        <source>It no longer covers what is found.</source>
        <translation>批准已不能覆盖当前的检查结果。</translation>
    </message>
    <message>
        <source>Explanation</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Choose a problem to read what is checked and why.</source>
        <translation>选择一个问题，查看检查内容与原因。</translation>
    </message>
    <message>
        <source>Fix</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>Approve…</source>
        <translation>批准…</translation>
    </message>
    <message>
        <source>Withdraw</source>
        <translation>撤回</translation>
    </message>
    <message>
        <source>Go to</source>
        <translation>定位</translation>
    </message>
    <message>
        <source>What Fix does</source>
        <translation>修复的内容</translation>
    </message>
</context>
<context>
    <name>Scatter</name>
    <message>
        <source>No figures to plot</source>
        <translation>没有可绘制的数值</translation>
    </message>
</context>
<context>
    <name>SeatDialog</name>
    <message>
        <source>Seat by rule</source>
        <translation>按规则上架</translation>
    </message>
    <message>
        <source>Top of rack</source>
        <translation>柜顶</translation>
    </message>
    <message>
        <source>Middle of row</source>
        <translation>列中</translation>
    </message>
    <message>
        <source>End of row</source>
        <translation>列尾</translation>
    </message>
    <message>
        <source>Racks of their own</source>
        <translation>独立机柜</translation>
    </message>
    <message>
        <source>With the leafs</source>
        <translation>与 Leaf 同柜</translation>
    </message>
    <message>
        <source>as many as fit</source>
        <translation>尽量装满</translation>
    </message>
    <message>
        <source>Leave members where they were put by hand</source>
        <translation>手动放置的成员保持不动</translation>
    </message>
    <message>
        <source>Rack</source>
        <translation>机柜</translation>
    </message>
    <message>
        <source>Leafs</source>
        <translation>Leaf</translation>
    </message>
    <message>
        <source>Spines and services</source>
        <translation>Spine 与服务设备</translation>
    </message>
    <message>
        <source>Server racks in a row</source>
        <translation>每列服务器机柜数</translation>
    </message>
    <message>
        <source>Servers per rack</source>
        <translation>每柜服务器数</translation>
    </message>
    <message>
        <source>Racks needed</source>
        <translation>所需机柜</translation>
    </message>
    <message>
        <source>Fullest rack</source>
        <translation>最满机柜</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Seat</source>
        <translation>上架</translation>
    </message>
    <message>
        <source>everything that stands in racks</source>
        <translation>所有可上架的设备</translation>
    </message>
    <message>
        <source>Seats {what}.</source>
        <translation>上架对象：{what}。</translation>
    </message>
    <message>
        <source>{count} of {group} per rack: power decides.</source>
        <translation>每柜 {count} 台 {group}：由功率决定。</translation>
    </message>
    <message>
        <source>{count} of {group} per rack: height decides.</source>
        <translation>每柜 {count} 台 {group}：由高度决定。</translation>
    </message>
    <message>
        <source>{count} of {group} per rack: weight decides.</source>
        <translation>每柜 {count} 台 {group}：由承重决定。</translation>
    </message>
    <message>
        <source>Draw not known: {items}.</source>
        <translation>功耗未知：{items}。</translation>
    </message>
</context>
<context>
    <name>SentenceBox</name>
    <message>
        <source>What do you need?</source>
        <translation>您需要什么？</translation>
    </message>
    <message>
        <source>512 H100, RoCE 400G, 1:1, 20 kW racks</source>
        <translation>512 张 H100，RoCE 400G，1:1，每柜 20 kW</translation>
    </message>
    <message>
        <source>Not understood, and left out: {words}</source>
        <translation>以下内容未能理解，已略去：{words}</translation>
    </message>
    <message>
        <source>Say it in one line and press Enter, or fill in the fields below. English and Chinese.</source>
        <translation>用一句话说明并按回车，或填写下面的字段。中英文均可。</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Wheel zooms without Ctrl; Shift and the wheel pan</source>
        <translation>滚轮直接缩放；Shift + 滚轮平移</translation>
    </message>
    <message>
        <source>Reset all keys</source>
        <translation>恢复默认按键</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>界面大小</translation>
    </message>
    <message>
        <source>Mouse</source>
        <translation>鼠标</translation>
    </message>
    <message>
        <source>Keyboard and mouse</source>
        <translation>键盘与鼠标</translation>
    </message>
    <message>
        <source>Everything is {size} of the system&apos;s size from the next start on.</source>
        <translation>下次启动起，界面为系统大小的 {size}。</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>every {count} min</source>
        <translation>每 {count} 分钟</translation>
    </message>
    <message>
        <source>Saves a project that has a file. Every edit is in the journal at once, whatever is set here.</source>
        <translation>保存已有文件的工程。无论此处如何设置，每次编辑都会立即写入日志。</translation>
    </message>
    <message>
        <source>Save by itself</source>
        <translation>自动保存</translation>
    </message>
</context>
<context>
    <name>SettingsExportDialog</name>
    <message>
        <source>Export network settings</source>
        <translation>导出网络配置</translation>
    </message>
    <message>
        <source>A proposal from the drawing, with formula and source of every value. Verify it on site before loading it.</source>
        <translation>由图纸得出的建议，附每个值的公式与来源。加载前请在现场核实。</translation>
    </message>
    <message>
        <source>Switches: tables for SONiC (JSON)</source>
        <translation>交换机：SONiC 配置表（JSON）</translation>
    </message>
    <message>
        <source>Switches: commands for NVUE</source>
        <translation>交换机：NVUE 命令</translation>
    </message>
    <message>
        <source>NICs: commands (mlnx_qos, bnxt)</source>
        <translation>网卡：命令（mlnx_qos、bnxt）</translation>
    </message>
    <message>
        <source>NCCL: environment variables</source>
        <translation>NCCL：环境变量</translation>
    </message>
    <message>
        <source>Choose folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>SeverityFilter</name>
    <message>
        <source>Severities shown</source>
        <translation>显示的级别</translation>
    </message>
    <message>
        <source>{severity}: {count}</source>
        <translation>{severity}：{count}</translation>
    </message>
</context>
<context>
    <name>ShortcutDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Save as PDF…</source>
        <translation>存为 PDF…</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>全部恢复默认</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Keyboard and mouse</source>
        <translation>键盘与鼠标</translation>
    </message>
    <message>
        <source>Save the shortcuts</source>
        <translation>保存快捷键</translation>
    </message>
    <message>
        <source>{file}: cannot be written.</source>
        <translation>{file}：无法写入。</translation>
    </message>
</context>
<context>
    <name>ShortcutSheet</name>
    <message>
        <source>Search commands and keys</source>
        <translation>搜索命令与按键</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>New key</source>
        <translation>新按键</translation>
    </message>
    <message>
        <source>Assign</source>
        <translation>指定</translation>
    </message>
    <message>
        <source>No key</source>
        <translation>无按键</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Assign it all the same</source>
        <translation>仍然指定</translation>
    </message>
    <message>
        <source>Choose a command</source>
        <translation>请选择命令</translation>
    </message>
    <message>
        <source>{key} is taken by the system or by input methods; choose another one.</source>
        <translation>{key} 已被系统或输入法占用；请换一个。</translation>
    </message>
    <message>
        <source>{key} is the key of {command}.</source>
        <translation>{key} 已用于“{command}”。</translation>
    </message>
    <message>
        <source>{key} is free.</source>
        <translation>{key} 可用。</translation>
    </message>
    <message>
        <source>{command} is now on {key}.</source>
        <translation>“{command}”的按键现为 {key}。</translation>
    </message>
    <message>
        <source>Its default key is in use by {command}.</source>
        <translation>其默认按键已被“{command}”使用。</translation>
    </message>
    <message>
        <source>No command and no key holds these words.</source>
        <translation>没有命令或按键包含这些词。</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
</context>
<context>
    <name>Shortcuts</name>
    <message>
        <source>Fabricwright: keyboard and mouse</source>
        <translation>Fabricwright：键盘与鼠标</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Align and distribute</source>
        <translation>对齐与分布</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>叠放次序</translation>
    </message>
    <message>
        <source>Keys of the sheet</source>
        <translation>图纸页按键</translation>
    </message>
    <message>
        <source>Mouse</source>
        <translation>鼠标</translation>
    </message>
</context>
<context>
    <name>Signal</name>
    <message>
        <source>Signal path</source>
        <translation>信号路径</translation>
    </message>
    <message>
        <source>and {count} more links</source>
        <translation>另有 {count} 条链路</translation>
    </message>
    <message>
        <source>{device}: falls back from Gen{gen} to Gen{falls} x{lanes}, since a segment loses too much.</source>
        <translation>{device}：因某段损耗过大，从 Gen{gen} 降为 Gen{falls} x{lanes}。</translation>
    </message>
    <message>
        <source>{device}: trains to Gen{gen} x{lanes}.</source>
        <translation>{device}：训练到 Gen{gen} x{lanes}。</translation>
    </message>
    <message>
        <source>At most {rate} bit errors/s before correction (BER 1e-6).</source>
        <translation>纠错前每秒至多 {rate} 个误码（BER 1e-6）。</translation>
    </message>
    <message>
        <source>At most {rate} replays/s (BER 1e-12, one direction).</source>
        <translation>每秒至多重放 {rate} 次（BER 1e-12，单方向）。</translation>
    </message>
    <message>
        <source>CPU package</source>
        <translation>CPU 封装</translation>
    </message>
    <message>
        <source>chip package</source>
        <translation>芯片封装</translation>
    </message>
    <message>
        <source>add-in card</source>
        <translation>插卡</translation>
    </message>
    <message>
        <source>card trace</source>
        <translation>卡上走线</translation>
    </message>
    <message>
        <source>slot connector</source>
        <translation>插槽连接器</translation>
    </message>
    <message>
        <source>board trace</source>
        <translation>主板走线</translation>
    </message>
    <message>
        <source>riser</source>
        <translation>转接卡</translation>
    </message>
    <message>
        <source>backplane</source>
        <translation>背板</translation>
    </message>
    <message>
        <source>cable</source>
        <translation>线缆</translation>
    </message>
    <message>
        <source>drive</source>
        <translation>硬盘</translation>
    </message>
    <message>
        <source>{length} m</source>
        <translation>{length} m</translation>
    </message>
    <message>
        <source>Nobody states what it loses.</source>
        <translation>未说明其损耗。</translation>
    </message>
    <message>
        <source>Not stated; a usual value stands in (estimate).</source>
        <translation>未说明；以常用值代替（估算）。</translation>
    </message>
    <message>
        <source>As the drawing states.</source>
        <translation>按图纸说明。</translation>
    </message>
    <message>
        <source>Source: {source}</source>
        <translation>来源：{source}</translation>
    </message>
    <message>
        <source>Source: {source} (estimate)</source>
        <translation>来源：{source}（估算）</translation>
    </message>
    <message>
        <source>A retimer starts the signal afresh, with a budget of its own.</source>
        <translation>Retimer 使信号重新开始，另有预算。</translation>
    </message>
    <message>
        <source>Loss at the Nyquist frequency: {loss} of {budget} dB, {share} %.
Designers keep {margin} %.</source>
        <translation>奈奎斯特频率处的损耗：{loss} / {budget} dB，占 {share} %。
设计通常保留 {margin} %。</translation>
    </message>
    <message>
        <source>{retimer}: starts afresh</source>
        <translation>{retimer}：重新开始</translation>
    </message>
</context>
<context>
    <name>Sizing</name>
    <message>
        <source>No network does this</source>
        <translation>没有网络能满足</translation>
    </message>
    <message>
        <source>Looking for the nearest that works…</source>
        <translation>正在寻找最接近的可行方案…</translation>
    </message>
    <message>
        <source>These work:</source>
        <translation>以下可行：</translation>
    </message>
    <message>
        <source>Fill in &quot;Later, GPUs&quot; to see what growing takes.</source>
        <translation>填写“以后的 GPU 数”即可查看扩容所需。</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Leafs</source>
        <translation>Leaf</translation>
    </message>
    <message>
        <source>Spines</source>
        <translation>Spine</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>Core</translation>
    </message>
    <message>
        <source>Server links</source>
        <translation>服务器链路</translation>
    </message>
    <message>
        <source>Uplinks</source>
        <translation>上行链路</translation>
    </message>
    <message>
        <source>Core links</source>
        <translation>Core 链路</translation>
    </message>
    <message>
        <source>{stays} stay, {added} are added</source>
        <translation>保留 {stays}，新增 {added}</translation>
    </message>
    <message>
        <source>Cabled anew</source>
        <translation>需改接</translation>
    </message>
    <message>
        <source>NIC per server</source>
        <translation>每台网卡</translation>
    </message>
    <message>
        <source>Leaf + spine</source>
        <translation>Leaf + Spine</translation>
    </message>
    <message>
        <source>Over-sub.</source>
        <translation>收敛比</translation>
    </message>
    <message>
        <source>Per GPU</source>
        <translation>每 GPU</translation>
    </message>
    <message>
        <source>Cables</source>
        <translation>线缆</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>价格</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>功率</translation>
    </message>
    <message>
        <source>Rack U</source>
        <translation>机柜 U 数</translation>
    </message>
    <message>
        <source>All-reduce</source>
        <translation>AllReduce</translation>
    </message>
    <message>
        <source>All-to-all</source>
        <translation>AllToAll</translation>
    </message>
    <message>
        <source>Worst case</source>
        <translation>最坏故障</translation>
    </message>
    <message>
        <source>% left</source>
        <translation>剩余 %</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>{count} errors</source>
        <translation>{count} 个错误</translation>
    </message>
    <message>
        <source>{ratio}:1</source>
        <translation>{ratio}:1</translation>
    </message>
    <message>
        <source>another switch</source>
        <translation>换用其他交换机</translation>
    </message>
    <message>
        <source>other wiring</source>
        <translation>其他接线方式</translation>
    </message>
    <message>
        <source>the other protocol</source>
        <translation>另一种协议</translation>
    </message>
    <message>
        <source>{count} tiers</source>
        <translation>{count} 层</translation>
    </message>
    <message>
        <source>{count} planes</source>
        <translation>{count} 个平面</translation>
    </message>
    <message>
        <source>fewer NICs</source>
        <translation>网卡较少</translation>
    </message>
    <message>
        <source>meets all</source>
        <translation>满足全部</translation>
    </message>
    <message>
        <source>meets all, no rails</source>
        <translation>满足全部，不分轨道</translation>
    </message>
    <message>
        <source>Leaf</source>
        <translation>Leaf</translation>
    </message>
    <message>
        <source>Spine</source>
        <translation>Spine</translation>
    </message>
    <message>
        <source>Core</source>
        <translation>Core</translation>
    </message>
    <message>
        <source>: ports {down} down</source>
        <translation>：下行端口 {down}</translation>
    </message>
    <message>
        <source>, {up} up</source>
        <translation>，上行 {up}</translation>
    </message>
    <message>
        <source>{links} in {cables} cables</source>
        <translation>{links} 条，用 {cables} 根线缆</translation>
    </message>
    <message>
        <source>{rails}, {units} units of {servers} servers</source>
        <translation>{rails} 条，{units} 个单元，每单元 {servers} 台服务器</translation>
    </message>
    <message>
        <source>none: all NICs of a server on one leaf</source>
        <translation>不分：一台服务器的网卡都接同一台 Leaf</translation>
    </message>
    <message>
        <source>Rails</source>
        <translation>轨道</translation>
    </message>
    <message>
        <source>{racks}, longest cable {metres} m</source>
        <translation>{racks} 个，最长线缆 {metres} m</translation>
    </message>
    <message>
        <source>Racks</source>
        <translation>机柜</translation>
    </message>
    <message>
        <source>{rails}, one unit of {servers} servers</source>
        <translation>{rails} 条，1 个单元，{servers} 台服务器</translation>
    </message>
</context>
<context>
    <name>SizingForm</name>
    <message>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Compute network</source>
        <translation>计算网络</translation>
    </message>
    <message>
        <source>Switches</source>
        <translation>交换机</translation>
    </message>
    <message>
        <source>Resilience and other networks</source>
        <translation>可靠性与其他网络</translation>
    </message>
    <message>
        <source>Racks and reach</source>
        <translation>机柜与距离</translation>
    </message>
    <message>
        <source>Workload for ranking</source>
        <translation>排序所用负载</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器台数</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器型号</translation>
    </message>
    <message>
        <source>GPUs in all</source>
        <translation>GPU 总数</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Later, GPUs</source>
        <translation>以后的 GPU 数</translation>
    </message>
    <message>
        <source>NIC</source>
        <translation>网卡</translation>
    </message>
    <message>
        <source>NICs per server</source>
        <translation>每台服务器网卡数</translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>协议</translation>
    </message>
    <message>
        <source>Wiring</source>
        <translation>接线方式</translation>
    </message>
    <message>
        <source>Planes</source>
        <translation>平面数</translation>
    </message>
    <message>
        <source>Tiers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>Oversubscription</source>
        <translation>收敛比</translation>
    </message>
    <message>
        <source>of the spines</source>
        <translation>Spine 的收敛比</translation>
    </message>
    <message>
        <source>Leaf</source>
        <translation>Leaf</translation>
    </message>
    <message>
        <source>Spine</source>
        <translation>Spine</translation>
    </message>
    <message>
        <source>Core</source>
        <translation>Core</translation>
    </message>
    <message>
        <source>UFM links</source>
        <translation>UFM 链路数</translation>
    </message>
    <message>
        <source>Failures survived</source>
        <translation>可承受的故障数</translation>
    </message>
    <message>
        <source>Other networks</source>
        <translation>其他网络</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>In-band</source>
        <translation>带内</translation>
    </message>
    <message>
        <source>Out-of-band</source>
        <translation>带外</translation>
    </message>
    <message>
        <source>Rack</source>
        <translation>机柜</translation>
    </message>
    <message>
        <source>Power of a rack</source>
        <translation>单柜功率</translation>
    </message>
    <message>
        <source>Height of a rack</source>
        <translation>单柜高度</translation>
    </message>
    <message>
        <source>Leafs stand</source>
        <translation>Leaf 的位置</translation>
    </message>
    <message>
        <source>Longest cable</source>
        <translation>最长线缆</translation>
    </message>
    <message>
        <source>Collective size</source>
        <translation>集合通信大小</translation>
    </message>
    <message>
        <source>Allowed switches</source>
        <translation>允许的交换机</translation>
    </message>
</context>
<context>
    <name>SizingWizard</name>
    <message>
        <source>New from requirements</source>
        <translation>按需求新建</translation>
    </message>
    <message>
        <source>Requirements</source>
        <translation>需求</translation>
    </message>
    <message>
        <source>Alternatives</source>
        <translation>备选方案</translation>
    </message>
    <message>
        <source>Racks and names</source>
        <translation>机柜与名称</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>绘制</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Nothing is drawn until you press Draw; in an open project it is one undo step.</source>
        <translation>按下“绘制”之前不会画任何东西；加入已打开的工程时只算一步撤销。</translation>
    </message>
    <message>
        <source>Next: racks, names</source>
        <translation>下一步：机柜、名称</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>新建工程</translation>
    </message>
    <message>
        <source>Add to the project</source>
        <translation>加入当前工程</translation>
    </message>
    <message>
        <source>Show alternatives</source>
        <translation>显示备选方案</translation>
    </message>
    <message>
        <source>Draw {count} designs</source>
        <translation>绘制 {count} 个方案</translation>
    </message>
    <message>
        <source>Draw design {name}</source>
        <translation>绘制方案 {name}</translation>
    </message>
    <message>
        <source>A field holds something that is not a number.</source>
        <translation>有一个字段里不是数字。</translation>
    </message>
    <message>
        <source>Sizing…</source>
        <translation>正在选型…</translation>
    </message>
    <message>
        <source>The analysis does not run; restart it in the menu Analyse.</source>
        <translation>分析未运行；请在“分析”菜单中重新启动。</translation>
    </message>
    <message>
        <source>Stopped at {count} alternatives</source>
        <translation>已停止，得到 {count} 个方案</translation>
    </message>
    <message>
        <source>{servers} servers, {gpus} GPUs</source>
        <translation>{servers} 台服务器，{gpus} 个 GPU</translation>
    </message>
    <message>
        <source>{count} alternatives</source>
        <translation>{count} 个方案</translation>
    </message>
    <message>
        <source>{count} of {most} alternatives…</source>
        <translation>{most} 个方案中的 {count} 个…</translation>
    </message>
    <message>
        <source>Drawing…</source>
        <translation>正在绘制…</translation>
    </message>
    <message>
        <source>{count} alternatives, trying failures…</source>
        <translation>{count} 个方案，正在试算故障…</translation>
    </message>
    <message>
        <source>, each with {nics}</source>
        <translation>，每台 {nics}</translation>
    </message>
</context>
<context>
    <name>Sketch</name>
    <message>
        <source>{leafs} leafs</source>
        <translation>{leafs} 台 Leaf</translation>
    </message>
    <message>
        <source>{count} cores</source>
        <translation>{count} 台 Core</translation>
    </message>
    <message>
        <source>{count} spines</source>
        <translation>{count} 台 Spine</translation>
    </message>
    <message>
        <source>{count} more units</source>
        <translation>另有 {count} 个单元</translation>
    </message>
    <message>
        <source>{count} servers</source>
        <translation>{count} 台服务器</translation>
    </message>
</context>
<context>
    <name>SnapshotsDialog</name>
    <message>
        <source>Snapshots</source>
        <translation>快照</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Restore as a copy</source>
        <translation>恢复为副本</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>What the project was at a moment, kept in its file.</source>
        <translation>工程在某一时刻的状态，保存在工程文件中。</translation>
    </message>
    <message>
        <source>None yet. Take one before you change something that was shown to a customer.</source>
        <translation>还没有快照。修改给客户看过的内容之前，请先创建一个。</translation>
    </message>
    <message>
        <source>Rename snapshot</source>
        <translation>重命名快照</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Take snapshot…</source>
        <translation>创建快照…</translation>
    </message>
</context>
<context>
    <name>SparesDialog</name>
    <message>
        <source>Spares</source>
        <translation>备件</translation>
    </message>
    <message>
        <source>A share of what the design needs, rounded up for each line of the list.</source>
        <translation>按设计需求的比例计算，每行向上取整。</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>Statements</name>
    <message>
        <source>Claim</source>
        <translation>声明值</translation>
    </message>
    <message>
        <source>Requirement</source>
        <translation>需求项</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>一个数值</translation>
    </message>
    <message>
        <source>numbers, such as 30, 21</source>
        <translation>多个数值，例如 30, 21</translation>
    </message>
    <message>
        <source>a range, such as 96..128</source>
        <translation>范围，例如 96..128</translation>
    </message>
    <message>
        <source>yes or no</source>
        <translation>是或否</translation>
    </message>
    <message>
        <source>a word</source>
        <translation>一个词</translation>
    </message>
    <message>
        <source>{form}, in {unit}</source>
        <translation>{form}，单位 {unit}</translation>
    </message>
    <message>
        <source>Expected here: {form}.</source>
        <translation>此处应为{form}。</translation>
    </message>
    <message>
        <source>Design {name}</source>
        <translation>方案 {name}</translation>
    </message>
    <message>
        <source>Workload {name}</source>
        <translation>工作负载 {name}</translation>
    </message>
    <message>
        <source>Document {name}</source>
        <translation>文档 {name}</translation>
    </message>
    <message>
        <source>Whole project</source>
        <translation>整个工程</translation>
    </message>
    <message>
        <source>Selected: {address}</source>
        <translation>所选：{address}</translation>
    </message>
    <message>
        <source>There is no {subject} in this project.</source>
        <translation>此工程中没有 {subject}。</translation>
    </message>
    <message>
        <source>There is no design {design}.</source>
        <translation>没有方案 {design}。</translation>
    </message>
    <message>
        <source>&apos;{subject}&apos; is in no design.</source>
        <translation>任何方案中都没有“{subject}”。</translation>
    </message>
    <message>
        <source>{design}: {place}</source>
        <translation>{design}：{place}</translation>
    </message>
</context>
<context>
    <name>StatementsModel</name>
    <message>
        <source>About design {design}; open it to see what the checks say.</source>
        <translation>涉及方案 {design}；打开该方案可查看检查结果。</translation>
    </message>
    <message>
        <source>No rule reads this.</source>
        <translation>没有规则读取此项。</translation>
    </message>
    <message>
        <source>Read by {rules}; nothing speaks against it.</source>
        <translation>由 {rules} 读取；未发现矛盾。</translation>
    </message>
    <message>
        <source>Not stored yet: choose a quantity.</source>
        <translation>尚未保存：请选择物理量。</translation>
    </message>
    <message>
        <source>Not stored yet: the value is missing.</source>
        <translation>尚未保存：缺少数值。</translation>
    </message>
    <message>
        <source>What is stated</source>
        <translation>陈述内容</translation>
    </message>
    <message>
        <source>Choose a quantity</source>
        <translation>选择物理量</translation>
    </message>
    <message>
        <source>Whole project</source>
        <translation>整个工程</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Statement</source>
        <translation>陈述项</translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>物理量</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>About</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
</context>
<context>
    <name>StatementsPanel</name>
    <message>
        <source>No statement matches the filter.</source>
        <translation>没有符合筛选条件的陈述项。</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>What the customer asks for, what a proposal claims:</source>
        <translation>客户的需求，方案的声明：</translation>
    </message>
    <message>
        <source>statements are held against the drawing as it changes.</source>
        <translation>图纸变化时，陈述项随时与之对照。</translation>
    </message>
    <message>
        <source>Add a statement</source>
        <translation>添加陈述项</translation>
    </message>
    <message>
        <source>Show the problem</source>
        <translation>显示问题</translation>
    </message>
    <message>
        <source>Go to what it is about</source>
        <translation>转到所涉对象</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>创建副本</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Duplicate the chosen statements</source>
        <translation>复制所选陈述项</translation>
    </message>
    <message>
        <source>Delete the chosen statements</source>
        <translation>删除所选陈述项</translation>
    </message>
    <message>
        <source>Filter statements</source>
        <translation>筛选陈述项</translation>
    </message>
    <message>
        <source>Statements</source>
        <translation>陈述项</translation>
    </message>
</context>
<context>
    <name>StatusPanel</name>
    <message>
        <source>Nothing selected</source>
        <translation>未选择对象</translation>
    </message>
    <message>
        <source>1 selected: {name}</source>
        <translation>已选 1 项：{name}</translation>
    </message>
    <message>
        <source>{count} selected</source>
        <translation>已选 {count} 项</translation>
    </message>
    <message>
        <source>Not saved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>Saved {time}</source>
        <translation>已保存 {time}</translation>
    </message>
    <message>
        <source>Analysis up to date</source>
        <translation>分析已是最新</translation>
    </message>
    <message>
        <source>Analysis up to date, {ms} ms</source>
        <translation>分析已是最新，{ms} ms</translation>
    </message>
    <message>
        <source>Analysing</source>
        <translation>正在分析</translation>
    </message>
    <message>
        <source>Analysis starting</source>
        <translation>分析正在启动</translation>
    </message>
    <message>
        <source>Analysis stopped; restart it in the Analyse menu</source>
        <translation>分析已停止；请在“分析”菜单中重启</translation>
    </message>
    <message>
        <source>Analysis failed; see the log</source>
        <translation>分析失败；见日志</translation>
    </message>
    <message>
        <source>1 server</source>
        <translation>1 台服务器</translation>
    </message>
    <message>
        <source>{count} servers</source>
        <translation>{count} 台服务器</translation>
    </message>
    <message>
        <source>1 GPU</source>
        <translation>1 个 GPU</translation>
    </message>
    <message>
        <source>{count} GPUs</source>
        <translation>{count} 个 GPU</translation>
    </message>
    <message>
        <source>1 switch</source>
        <translation>1 台交换机</translation>
    </message>
    <message>
        <source>{count} switches</source>
        <translation>{count} 台交换机</translation>
    </message>
    <message>
        <source>1 link</source>
        <translation>1 条链路</translation>
    </message>
    <message>
        <source>{count} links</source>
        <translation>{count} 条链路</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>Saved to journal {time}</source>
        <translation>已写入日志 {time}</translation>
    </message>
    <message>
        <source>Not saved: journal: {reason}</source>
        <translation>未保存，日志：{reason}</translation>
    </message>
    <message>
        <source>Analysis ran out of memory</source>
        <translation>分析内存不足</translation>
    </message>
</context>
<context>
    <name>StepSections</name>
    <message>
        <source>No prices are stated.</source>
        <translation>未填写价格。</translation>
    </message>
    <message>
        <source>Prices…</source>
        <translation>价格…</translation>
    </message>
    <message>
        <source>{design}: {reason}</source>
        <translation>{design}：{reason}</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步时</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>What would change the step</source>
        <translation>哪些改动会影响步时</translation>
    </message>
    <message>
        <source>click shows it</source>
        <translation>点击定位</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>Money</source>
        <translation>费用</translation>
    </message>
    <message>
        <source>Assumed</source>
        <translation>假定</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>MFU</source>
        <translation>MFU</translation>
    </message>
    <message>
        <source>GPU utilisation</source>
        <translation>GPU 利用率</translation>
    </message>
    <message>
        <source>Communication share</source>
        <translation>通信占比</translation>
    </message>
    <message>
        <source>Tokens a second</source>
        <translation>每秒 token</translation>
    </message>
</context>
<context>
    <name>Storage</name>
    <message>
        <source>{name} was changed by someone else since you opened it.</source>
        <translation>{name} 在您打开之后被他人修改过。</translation>
    </message>
    <message>
        <source>Saving over it loses what they did; the version on disk is kept beside it as {name}.bak.</source>
        <translation>覆盖保存会丢失对方的修改；磁盘上的版本会保留为同目录下的 {name}.bak。</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Your work is still open here, and in the journal.</source>
        <translation>您的工作仍在此处打开，并保存在日志中。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>{name} is open: {user} on {host}, since {time}.</source>
        <translation>{name} 已被打开：{user}，计算机 {host}，自 {time} 起。</translation>
    </message>
    <message>
        <source>Two people saving the same file lose one another&apos;s changes.</source>
        <translation>两人保存同一文件会互相丢失修改。</translation>
    </message>
    <message>
        <source>Open read-only</source>
        <translation>以只读方式打开</translation>
    </message>
    <message>
        <source>Open a copy</source>
        <translation>打开副本</translation>
    </message>
    <message>
        <source>Saving over it loses what they do in the meantime.</source>
        <translation>覆盖保存会丢失对方在此期间的修改。</translation>
    </message>
    <message>
        <source>Choose another name</source>
        <translation>另选名称</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>以后再说</translation>
    </message>
    <message>
        <source>Unsaved work found that cannot be read</source>
        <translation>发现无法读取的未保存工作</translation>
    </message>
    <message>
        <source>Unsaved work found: {name}</source>
        <translation>发现未保存的工作：{name}</translation>
    </message>
    <message>
        <source>a project without a name</source>
        <translation>未命名的工程</translation>
    </message>
    <message>
        <source>1 edit after the last save, {time}.</source>
        <translation>上次保存后有 1 次编辑，{time}。</translation>
    </message>
    <message>
        <source>{count} edits after the last save, {time}.</source>
        <translation>上次保存后有 {count} 次编辑，{time}。</translation>
    </message>
    <message>
        <source>The last {count} bytes were not whole and are left out; everything before them passed its check.</source>
        <translation>最后 {count} 字节不完整，已略去；之前的内容均通过校验。</translation>
    </message>
    <message>
        <source>The copy is complete and passed its check.</source>
        <translation>副本完整，并已通过校验。</translation>
    </message>
</context>
<context>
    <name>StorageCommands</name>
    <message>
        <source>Discard this unsaved work for good?</source>
        <translation>永久丢弃这些未保存的工作？</translation>
    </message>
    <message>
        <source>Take snapshot</source>
        <translation>创建快照</translation>
    </message>
    <message>
        <source>Name of this version, such as: before the customer meeting</source>
        <translation>此版本的名称，例如：客户会议之前</translation>
    </message>
</context>
<context>
    <name>Sweep</name>
    <message>
        <source>Point</source>
        <translation>点</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Switches</source>
        <translation>交换机</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>链路</translation>
    </message>
    <message>
        <source>Leafs</source>
        <translation>Leaf</translation>
    </message>
    <message>
        <source>Spines</source>
        <translation>Spine</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>Core</translation>
    </message>
    <message>
        <source>Cables</source>
        <translation>线缆</translation>
    </message>
    <message>
        <source>Power (W)</source>
        <translation>功耗（W）</translation>
    </message>
    <message>
        <source>Power of the network (W)</source>
        <translation>网络功耗（W）</translation>
    </message>
    <message>
        <source>Rack units</source>
        <translation>机柜 U 数</translation>
    </message>
    <message>
        <source>Price</source>
        <translation>价格</translation>
    </message>
    <message>
        <source>Price of the network</source>
        <translation>网络价格</translation>
    </message>
    <message>
        <source>Currency</source>
        <translation>币种</translation>
    </message>
    <message>
        <source>Lines without price</source>
        <translation>无价格行数</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Infos</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Approved</source>
        <translation>已认可</translation>
    </message>
    <message>
        <source>Worst failure</source>
        <translation>最坏故障</translation>
    </message>
    <message>
        <source>Place of the worst failure</source>
        <translation>最坏故障位置</translation>
    </message>
    <message>
        <source>Step (s)</source>
        <translation>训练步（s）</translation>
    </message>
    <message>
        <source>MFU</source>
        <translation>MFU</translation>
    </message>
    <message>
        <source>Communication share</source>
        <translation>通信占比</translation>
    </message>
    <message>
        <source>GPU utilisation</source>
        <translation>GPU 利用率</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>token/s</translation>
    </message>
    <message>
        <source>Days</source>
        <translation>天数</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>{what}, low (GB/s)</source>
        <translation>{what} 下限（GB/s）</translation>
    </message>
    <message>
        <source>{what}, high (GB/s)</source>
        <translation>{what} 上限（GB/s）</translation>
    </message>
    <message>
        <source>{what} (GB/s)</source>
        <translation>{what}（GB/s）</translation>
    </message>
    <message>
        <source>{what} (µs)</source>
        <translation>{what}（µs）</translation>
    </message>
    <message>
        <source>{what}, algorithm</source>
        <translation>{what} 算法</translation>
    </message>
    <message>
        <source>{what}, protocol</source>
        <translation>{what} 协议</translation>
    </message>
    <message>
        <source>{what}, limit</source>
        <translation>{what} 瓶颈</translation>
    </message>
    <message>
        <source>{what}, place of the limit</source>
        <translation>{what} 瓶颈位置</translation>
    </message>
    <message>
        <source>Workload: {what}</source>
        <translation>训练负载：{what}</translation>
    </message>
    <message>
        <source>{place}: number along {axis}</source>
        <translation>{place}：{axis} 数量</translation>
    </message>
    <message>
        <source>mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>breakout</source>
        <translation>端口拆分</translation>
    </message>
    <message>
        <source>{place}: {what}</source>
        <translation>{place}：{what}</translation>
    </message>
    <message>
        <source>{place}: part</source>
        <translation>{place}：型号</translation>
    </message>
    <message>
        <source>{place}: number</source>
        <translation>{place}：数量</translation>
    </message>
    <message>
        <source>{place}: cables per pair</source>
        <translation>{place}：每对线缆数</translation>
    </message>
    <message>
        <source>{place}: length (m)</source>
        <translation>{place}：长度（m）</translation>
    </message>
    <message>
        <source>{place}: cable</source>
        <translation>{place}：线缆</translation>
    </message>
    <message>
        <source>{place}: speed (Gb/s)</source>
        <translation>{place}：速率（Gb/s）</translation>
    </message>
    <message>
        <source>{place}: medium</source>
        <translation>{place}：介质</translation>
    </message>
</context>
<context>
    <name>SweepChoice</name>
    <message>
        <source>Fields</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Figures of every variant</source>
        <translation>每个变体的指标</translation>
    </message>
    <message>
        <source>Add a field</source>
        <translation>添加字段</translation>
    </message>
    <message>
        <source>at sizes</source>
        <translation>数据量</translation>
    </message>
    <message>
        <source>Servers, GPUs, switches, links</source>
        <translation>服务器、GPU、交换机、链路</translation>
    </message>
    <message>
        <source>Leafs, spines, cores</source>
        <translation>Leaf、Spine、Core</translation>
    </message>
    <message>
        <source>Cables</source>
        <translation>线缆</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>功耗</translation>
    </message>
    <message>
        <source>Power of the network</source>
        <translation>网络功耗</translation>
    </message>
    <message>
        <source>Rack units</source>
        <translation>机柜 U 数</translation>
    </message>
    <message>
        <source>Price</source>
        <translation>价格</translation>
    </message>
    <message>
        <source>Findings (slow)</source>
        <translation>检查结果（较慢）</translation>
    </message>
    <message>
        <source>Worst single failure (slow)</source>
        <translation>最坏单点故障（较慢）</translation>
    </message>
    <message>
        <source>Training step (slow)</source>
        <translation>训练步（较慢）</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>取值</translation>
    </message>
    <message>
        <source>Values, such as 1, 2, 4 or 2..16:2</source>
        <translation>取值，如 1, 2, 4 或 2..16:2</translation>
    </message>
    <message>
        <source>Take this field away</source>
        <translation>移除该字段</translation>
    </message>
    <message>
        <source>There is no such field.</source>
        <translation>没有这个字段。</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>today {value}</source>
        <translation>当前为 {value}</translation>
    </message>
    <message>
        <source>{collective}: bandwidth and time</source>
        <translation>{collective}：带宽与时间</translation>
    </message>
    <message>
        <source>Sizes per GPU with commas, such as 64M, 1G</source>
        <translation>每 GPU 数据量，用逗号分隔，例如 64M, 1G</translation>
    </message>
</context>
<context>
    <name>SweepResults</name>
    <message>
        <source>across</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>up</source>
        <translation>纵轴</translation>
    </message>
    <message>
        <source>apart</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>SweepView</name>
    <message>
        <source>Sweep</source>
        <translation>参数扫描</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>最多</translation>
    </message>
    <message>
        <source>Points at most</source>
        <translation>最多点数</translation>
    </message>
    <message>
        <source>Of a larger grid so many points are computed, spread evenly</source>
        <translation>网格更大时只计算这么多点，均匀分布</translation>
    </message>
    <message>
        <source>Export CSV…</source>
        <translation>导出 CSV…</translation>
    </message>
    <message>
        <source>Open as design</source>
        <translation>作为方案打开</translation>
    </message>
    <message>
        <source>Add the chosen variant to the project as a design of its own</source>
        <translation>把所选变体作为独立方案加入工程</translation>
    </message>
    <message>
        <source>{count} points</source>
        <translation>{count} 个点</translation>
    </message>
    <message>
        <source>{some} of {count} points</source>
        <translation>{count} 个点中的 {some} 个</translation>
    </message>
    <message>
        <source>{points}, about {time}</source>
        <translation>{points}，约 {time}</translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} 秒</translation>
    </message>
    <message>
        <source>{n} min</source>
        <translation>{n} 分钟</translation>
    </message>
    <message>
        <source>{n} h</source>
        <translation>{n} 小时</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>Choose fields and values, then run.</source>
        <translation>选择字段和取值，然后运行。</translation>
    </message>
    <message>
        <source>Every combination becomes a row.</source>
        <translation>每种组合成为一行。</translation>
    </message>
    <message>
        <source>{done} of {count} points</source>
        <translation>{done} / {count} 个点</translation>
    </message>
    <message>
        <source>{points} · {wrong} with a problem</source>
        <translation>{points} · {wrong} 个有问题</translation>
    </message>
    <message>
        <source>Export sweep</source>
        <translation>导出扫描结果</translation>
    </message>
</context>
<context>
    <name>TablePage</name>
    <message>
        <source>New mode</source>
        <translation>新模式</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Every row on a line of its own</source>
        <translation>每项单独一行</translation>
    </message>
    <message>
        <source>Figure to add</source>
        <translation>要添加的参数</translation>
    </message>
    <message>
        <source>Another figure: type its name</source>
        <translation>其他参数：输入其名称</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
</context>
<context>
    <name>Thumbs</name>
    <message>
        <source>Pages</source>
        <translation>页</translation>
    </message>
</context>
<context>
    <name>Tour</name>
    <message>
        <source>A small cluster</source>
        <translation>一个小集群</translation>
    </message>
    <message>
        <source>Four servers with four GPUs each, drawn once: a group. Pan with the middle button, zoom with Ctrl and the wheel.</source>
        <translation>四台服务器，每台四块 GPU，只画一次：这是一个组。按住中键平移，Ctrl 加滚轮缩放。</translation>
    </message>
    <message>
        <source>Look inside</source>
        <translation>看看里面</translation>
    </message>
    <message>
        <source>Double-click the server, or select it and press Enter.</source>
        <translation>双击服务器，或选中后按 Enter。</translation>
    </message>
    <message>
        <source>Put a card in</source>
        <translation>插入一块卡</translation>
    </message>
    <message>
        <source>Drag a NIC or a CXL card from the parts over the slots. Green slots take it; the others say why not, before you let go.</source>
        <translation>从部件面板把网卡或 CXL 卡拖到插槽上方。绿色插槽可以放；其余的在松手前就会说明原因。</translation>
    </message>
    <message>
        <source>Once drawn, four times built</source>
        <translation>画一次，建四台</translation>
    </message>
    <message>
        <source>The bar says it: edits apply to all four servers. The parts list counts the card four times.</source>
        <translation>上方的栏里写着：修改作用于全部四台服务器。物料清单会把这块卡计四次。</translation>
    </message>
    <message>
        <source>Take it back</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Press Ctrl+Z. Every gesture is one step back, and nothing is ever lost.</source>
        <translation>按 Ctrl+Z。每个操作就是一步，什么都不会丢。</translation>
    </message>
    <message>
        <source>Back to the fabric</source>
        <translation>回到组网图</translation>
    </message>
    <message>
        <source>Press Alt+Up, or click Fabric in the bar above the sheet.</source>
        <translation>按 Alt+↑，或点击图上方栏里的“组网”。</translation>
    </message>
    <message>
        <source>Break it</source>
        <translation>弄坏它</translation>
    </message>
    <message>
        <source>What is wrong, and why</source>
        <translation>哪里错了，为什么</translation>
    </message>
    <message>
        <source>The checks answer at once: what, where, and the figures behind it. Many problems have a fix; others are approved with a reason.</source>
        <translation>检查立即给出答案：什么问题、在哪里、依据哪些数字。许多问题可以一键修复，其余的可附理由批准。</translation>
    </message>
    <message>
        <source>Mend it</source>
        <translation>修好它</translation>
    </message>
    <message>
        <source>What it will do</source>
        <translation>性能如何</translation>
    </message>
    <message>
        <source>Bandwidth and time of a collective, with the range that measurements support and the link that binds.</source>
        <translation>集合通信的带宽与时间，附测量支持的范围，以及成为瓶颈的链路。</translation>
    </message>
    <message>
        <source>Everything by name</source>
        <translation>按名字找一切</translation>
    </message>
    <message>
        <source>Press Ctrl+K: commands, parts, problems and places. Esc closes it.</source>
        <translation>按 Ctrl+K：命令、部件、问题与位置。Esc 关闭。</translation>
    </message>
    <message>
        <source>That was it</source>
        <translation>就是这些</translation>
    </message>
    <message>
        <source>The Export menu makes pictures, the parts list and the cable schedule. The sample is yours to play with.</source>
        <translation>“导出”菜单可生成图纸、物料清单和线缆表。这个示例可以随意试用。</translation>
    </message>
    <message>
        <source>The servers are selected. Type 200 into Count in the inspector and press Enter: more servers than the switch has ports.</source>
        <translation>服务器已选中。在属性面板的“数量”中输入 200 并按 Enter：服务器多于交换机端口。</translation>
    </message>
    <message>
        <source>Ctrl+Z brings the four servers back, with their cables.</source>
        <translation>按 Ctrl+Z，四台服务器连同线缆一起恢复。</translation>
    </message>
</context>
<context>
    <name>TrainingPanel</name>
    <message>
        <source>No workload yet: what is trained here, and how is it spread over the GPUs?</source>
        <translation>尚无训练负载：在此训练什么模型，如何分布到 GPU 上？</translation>
    </message>
    <message>
        <source>Add a workload…</source>
        <translation>添加训练负载…</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Use the nearest that works</source>
        <translation>采用最接近的可行方案</translation>
    </message>
    <message>
        <source>Nearest that works: {layout}, batch {gbs}.</source>
        <translation>最接近的可行方案：{layout}，批量 {gbs}。</translation>
    </message>
    <message>
        <source>The checks do not run; restart them in the status bar.</source>
        <translation>检查未运行；请在状态栏重新启动。</translation>
    </message>
    <message>
        <source>Working out the step…</source>
        <translation>正在计算步时…</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Find layout…</source>
        <translation>搜索布局…</translation>
    </message>
    <message>
        <source>Search TP, PP, DP, CP and EP for the fastest that fits</source>
        <translation>在 TP、PP、DP、CP、EP 中搜索放得下的最快布局</translation>
    </message>
    <message>
        <source>Add, duplicate, rename, remove</source>
        <translation>添加、复制、重命名、移除</translation>
    </message>
    <message>
        <source>Workloads</source>
        <translation>训练负载</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>训练负载</translation>
    </message>
    <message>
        <source>against</source>
        <translation>对</translation>
    </message>
    <message>
        <source>Compare with design</source>
        <translation>与方案对比</translation>
    </message>
    <message>
        <source>Colour the GPUs by tensor-parallel group, pipeline stage or data-parallel group</source>
        <translation>按张量并行组、流水线级或数据并行组为 GPU 着色</translation>
    </message>
    <message>
        <source>Placement of the ranks on the drawing</source>
        <translation>Rank 在图纸上的位置</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>Views</name>
    <message>
        <source>Drawing</source>
        <translation>图纸</translation>
    </message>
    <message>
        <source>Racks</source>
        <translation>机柜</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Parts list</source>
        <translation>物料</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>参数扫描</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>8-GPU server, NVSwitch</source>
        <translation>8 卡服务器，NVSwitch</translation>
    </message>
    <message>
        <source>8-GPU server, PCIe switches</source>
        <translation>8 卡服务器，PCIe 交换</translation>
    </message>
    <message>
        <source>16-GPU pod, one NIC a server</source>
        <translation>16 卡 Pod，每台一块网卡</translation>
    </message>
    <message>
        <source>Upgrade to 512 GPUs</source>
        <translation>扩容到 512 卡</translation>
    </message>
    <message>
        <source>2,048 PCIe GPUs, two tiers</source>
        <translation>2,048 块 PCIe GPU，两层</translation>
    </message>
    <message>
        <source>SuperPOD H100, 1,016 GPUs</source>
        <translation>SuperPOD H100，1,016 卡</translation>
    </message>
    <message>
        <source>H100 rail-optimised, 4 units</source>
        <translation>H100 轨道优化，4 个单元</translation>
    </message>
    <message>
        <source>B200 rail-optimised, 8 units</source>
        <translation>B200 轨道优化，8 个单元</translation>
    </message>
    <message>
        <source>B300 on two planes, 4 units</source>
        <translation>B300 双平面，4 个单元</translation>
    </message>
    <message>
        <source>today, {time}</source>
        <translation>今天 {time}</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>1 server</source>
        <translation>1 台服务器</translation>
    </message>
    <message>
        <source>{count} servers</source>
        <translation>{count} 台服务器</translation>
    </message>
    <message>
        <source>1 switch</source>
        <translation>1 台交换机</translation>
    </message>
    <message>
        <source>{count} switches</source>
        <translation>{count} 台交换机</translation>
    </message>
    <message>
        <source>no problems</source>
        <translation>没有问题</translation>
    </message>
    <message>
        <source>DGX H100, two sockets, PCIe 5.0</source>
        <translation>DGX H100，双路，PCIe 5.0</translation>
    </message>
    <message>
        <source>8 PCIe GPUs behind two PCIe switches</source>
        <translation>8 块 PCIe GPU 接在两个 PCIe 交换芯片下</translation>
    </message>
    <message>
        <source>4 servers with 4 PCIe GPUs and a NIC each</source>
        <translation>4 台服务器，每台 4 块 PCIe GPU 和一块网卡</translation>
    </message>
    <message>
        <source>32 DGX H100: before, new network, after</source>
        <translation>32 台 DGX H100：升级前、换网络、升级后</translation>
    </message>
    <message>
        <source>256 servers, switch and retimer cards</source>
        <translation>256 台服务器，交换卡与 Retimer 卡</translation>
    </message>
    <message>
        <source>127 DGX H100, four networks</source>
        <translation>127 台 DGX H100，四个网络</translation>
    </message>
    <message>
        <source>127 DGX H100, four scalable units</source>
        <translation>127 台 DGX H100，四个可扩展单元</translation>
    </message>
    <message>
        <source>256 DGX B200, eight scalable units</source>
        <translation>256 台 DGX B200，八个可扩展单元</translation>
    </message>
    <message>
        <source>256 DGX B300, four scalable units</source>
        <translation>256 台 DGX B300，四个可扩展单元</translation>
    </message>
</context>
<context>
    <name>WelcomePage</name>
    <message>
        <source>Files that you open or save are listed here.</source>
        <translation>打开或保存过的文件会列在这里。</translation>
    </message>
    <message>
        <source>Start from a template above, or</source>
        <translation>可从上面的模板开始，或</translation>
    </message>
    <message>
        <source>open a project</source>
        <translation>打开工程</translation>
    </message>
    <message>
        <source>No recent file holds these words.</source>
        <translation>最近的文件中没有包含这些词的。</translation>
    </message>
    <message>
        <source>Draw the cluster, check it, price it.</source>
        <translation>绘制、检查、报价，一气呵成。</translation>
    </message>
    <message>
        <source>New from requirements</source>
        <translation>按需求新建</translation>
    </message>
    <message>
        <source>Blank fabric sheet</source>
        <translation>空白组网图</translation>
    </message>
    <message>
        <source>Blank server sheet</source>
        <translation>空白服务器图</translation>
    </message>
    <message>
        <source>Open a project</source>
        <translation>打开工程</translation>
    </message>
    <message>
        <source>Import a NetBox device type</source>
        <translation>导入 NetBox 设备类型</translation>
    </message>
    <message>
        <source>Three-minute tour</source>
        <translation>三分钟导览</translation>
    </message>
    <message>
        <source>draw, break and mend a small cluster</source>
        <translation>画出、弄坏并修好一个小集群</translation>
    </message>
    <message>
        <source>User guide</source>
        <translation>用户指南</translation>
    </message>
    <message>
        <source>English and Chinese, offline</source>
        <translation>中英文，离线可用</translation>
    </message>
    <message>
        <source>Keys and gestures</source>
        <translation>按键与手势</translation>
    </message>
    <message>
        <source>all of them on one sheet, to be changed there</source>
        <translation>全部列在一张表中，可在其中修改</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>学习</translation>
    </message>
    <message>
        <source>Start from a template</source>
        <translation>从模板开始</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>Search recent</source>
        <translation>搜索最近文件</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>System</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>工程</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>规模</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Opened</source>
        <translation>打开时间</translation>
    </message>
    <message>
        <source>from GPUs, servers and target rate</source>
        <translation>从 GPU、服务器与目标速率开始</translation>
    </message>
</context>
<context>
    <name>WiringDialog</name>
    <message>
        <source>Wire groups</source>
        <translation>设备组接线</translation>
    </message>
    <message>
        <source>as the ports</source>
        <translation>与端口相同</translation>
    </message>
    <message>
        <source>as many as fit</source>
        <translation>尽可能多</translation>
    </message>
    <message>
        <source>Pattern</source>
        <translation>接线方式</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Cables per pair</source>
        <translation>每对线缆数</translation>
    </message>
    <message>
        <source>Joined on</source>
        <translation>对应轴</translation>
    </message>
    <message>
        <source>Cables</source>
        <translation>线缆</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Wire</source>
        <translation>接线</translation>
    </message>
    <message>
        <source>Wire {a} to {b}</source>
        <translation>{a} 到 {b} 接线</translation>
    </message>
    <message>
        <source>Rail-aligned</source>
        <translation>按轨道</translation>
    </message>
    <message>
        <source>One to one</source>
        <translation>一对一</translation>
    </message>
    <message>
        <source>Full mesh</source>
        <translation>全互联</translation>
    </message>
    <message>
        <source>Dual-homed</source>
        <translation>双归</translation>
    </message>
    <message>
        <source>Planes</source>
        <translation>平面</translation>
    </message>
    <message>
        <source>Spread</source>
        <translation>均匀分布</translation>
    </message>
    <message>
        <source>By hand</source>
        <translation>手工</translation>
    </message>
    <message>
        <source>Port n of every server goes to the switch of rail n in its unit.</source>
        <translation>每台服务器的第 n 个端口接到其单元第 n 轨的交换机。</translation>
    </message>
    <message>
        <source>Member n meets member n; with axes in common, those that agree on them.</source>
        <translation>第 n 个成员对第 n 个成员；有共同的轴时，轴相等的成员互连。</translation>
    </message>
    <message>
        <source>Every member meets every member on the other side.</source>
        <translation>一侧的每个成员与另一侧的全部成员相连。</translation>
    </message>
    <message>
        <source>The two ports of every member go to two different switches.</source>
        <translation>每个成员的两个端口接到两台不同的交换机。</translation>
    </message>
    <message>
        <source>The network is split into planes that never meet; port n goes to plane n.</source>
        <translation>网络分成互不相交的平面；第 n 个端口接到平面 n。</translation>
    </message>
    <message>
        <source>Ports are dealt out evenly, one after the other.</source>
        <translation>端口依次均匀轮转分配。</translation>
    </message>
    <message>
        <source>One line per cable: member, port, member, port.</source>
        <translation>每行一根线缆：成员、端口、成员、端口，以半角逗号分隔。</translation>
    </message>
    <message>
        <source>Line {number} is not: member, port, member, port.</source>
        <translation>第 {number} 行的形式不是：成员、端口、成员、端口。</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>及另外 {count} 项</translation>
    </message>
    <message>
        <source>{count} cables</source>
        <translation>{count} 根线缆</translation>
    </message>
    <message>
        <source>{count} pairs of ports</source>
        <translation>{count} 对端口</translation>
    </message>
    <message>
        <source>Each {item}: {used} ports used, {free} left, meets {peers}</source>
        <translation>每个 {item}：已用 {used} 个端口，剩余 {free} 个，连接 {peers} 台</translation>
    </message>
</context>
<context>
    <name>WiringPreview</name>
    <message>
        <source>Preview of the cables</source>
        <translation>线缆预览</translation>
    </message>
    <message>
        <source>No cable yet</source>
        <translation>还没有线缆</translation>
    </message>
</context>
<context>
    <name>WorkloadDialog</name>
    <message>
        <source>Workload</source>
        <translation>训练负载</translation>
    </message>
    <message>
        <source>New workload</source>
        <translation>新建训练负载</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Own figures</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>Money</source>
        <translation>费用</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Source: {source}</source>
        <translation>来源：{source}</translation>
    </message>
    <message>
        <source>{billions} billion parameters ({active} billion met by a token), {flops} TFLOP per sequence.</source>
        <translation>{billions}B 参数（每个 token 经过 {active}B），每序列 {flops} TFLOP。</translation>
    </message>
    <message>
        <source>Choose a model above, or state its parameters, or its layers and hidden size.</source>
        <translation>请在上方选择模型，或填写参数量，或填写层数与隐藏维度。</translation>
    </message>
    <message>
        <source>{billions} billion parameters are stated, but this size and shape make {low} to {high} billion.</source>
        <translation>陈述为 {billions}B 参数，但这一规模与形状算得 {low}B 至 {high}B。</translation>
    </message>
    <message>
        <source>{billions} billion parameters, {flops} TFLOP per sequence.</source>
        <translation>{billions}B 参数，每序列 {flops} TFLOP。</translation>
    </message>
</context>
<context>
    <name>WorkloadVerbs</name>
    <message>
        <source>New workload…</source>
        <translation>新建训练负载…</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>{title}, copy</source>
        <translation>{title}，副本</translation>
    </message>
    <message>
        <source>Rename workload</source>
        <translation>重命名训练负载</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
</context>
<context>
    <name>WrittenFile</name>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
</context>
</TS>

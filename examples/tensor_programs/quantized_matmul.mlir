// (A - 3) (B - 2), with B constant, scaled as TOSA's rescale does it, channel by channel, and clamped by compare and select.
func.func @main(%x: tensor<24x32xi8> {daedalus.name = "x"}) -> (tensor<24x20xi8> {daedalus.name = "y"}) {
  %w = arith.constant dense<"0x0909FAFD09FF00FAF90606F902F904FBF7000404FAF8F803090108FF07FEF800F7F9FA08F8FD0400FFFBF8010102FB030305070308FA07FF04FE0004FF07000801F7040901F70309FBF801050202FF06F709F8F702FF05000901FC02FC0102FF0003FAF709FB0007FEFFFE01FC04FAFA0101FE05FCF901FD0905FFFEFAF807FD0109FCFF01F90209FB040007FF05020400040904F804FBFDF706070408FEF80507000801FEF90900FAFEF8F807FD0409F8F706FAFC0700FEF7070804F8FA01FBFF0806F802FEFDFA08FAFCFEFFFBF7060903F8FFFEFF070704F80601F7F8FBF8FAF8F906F8F907070601FC01F9020303090002FFFD0104FAFB08F703F909FCF802050803F804F8020601040405F7FEFD08FF09F904FE04FBF7010208FFFA05FA0703FA010908FA09F706FBFE03F807F909FA03FCF701FAF7FA06000900F9F8090707FEFA08FA08F8080109FCF9FEFCFE0503FF0203020804F90307FE04FC0409090706FB03FBFCFA0606070509FCFBFFFDFB090701FE0800040909FFFD00F7FF0603FDFC0902FE0106FB0406FD050908F706F903F805FEFEF9FDFFFEFDFFFBFCF8FFFCF801FC04F9F9FAF9FF00F802050901F7F70101040306F9FD090603FB0801FAFFF904FA0507FFFA0702020500FFFA01090807FA060702F80009FCFBFC0205FAFA08FB01040800FC050600FCF9FAFC0808090302FAFFFF03F8FBF80607FFFE070201030508F90206FAFBFF09FAFA09FAFCFD090403FB09FB03FD0807FC09FCFDFF0200F70504030108090006070006F7FDF7FAFE06FC0705FDFD07FDF80705FA0900FBFB05F9F8F702FE07F90608F701010102FBF9F8F901FDF9FD04FE0601FAF804F9FDFC030606F90804FD0600F705050305FC05F8FF020205070203FE"> : tensor<32x20xi8>
  %x_zero = arith.constant 3 : i32
  %w_zero = arith.constant 2 : i32
  %start = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<24x20xi32>
  %zeros = linalg.fill ins(%start : i32) outs(%empty : tensor<24x20xi32>) -> tensor<24x20xi32>
  %sums = linalg.quantized_matmul ins(%x, %w, %x_zero, %w_zero : tensor<24x32xi8>, tensor<32x20xi8>, i32, i32)
                                  outs(%zeros : tensor<24x20xi32>) -> tensor<24x20xi32>
  %biases = arith.constant dense<[1155, 161, 1702, -126, 1375, 1792, 338, 1786, -1097, -242, 2586, -2766, -709, 1962, 2499, 2698, -1664, 2723, -327, 1438]> : tensor<20xi32>
  %multipliers = arith.constant dense<[1584766974, 1353822644, 1868214482, 2091764047, 1214463980, 1102019858, 2081410604, 1630700322, 1576963737, 1485509139, 2083625018, 2096702552, 1926581825, 1397188130, 1571790531, 1399348386, 1911124552, 1106269193, 1211248296, 1416050578]> : tensor<20xi32>
  %shifts = arith.constant dense<[36, 38, 36, 38, 39, 39, 39, 39, 39, 37, 38, 36, 36, 37, 39, 37, 38, 39, 38, 39]> : tensor<20xi8>
  %lo = arith.constant -128 : i32
  %hi = arith.constant 127 : i32
  %y_zero = arith.constant -5 : i32
  %bytes = tensor.empty() : tensor<24x20xi8>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>,
                                        affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1)>,
                                        affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%sums, %biases, %multipliers, %shifts
          : tensor<24x20xi32>, tensor<20xi32>, tensor<20xi32>, tensor<20xi8>) outs(%bytes : tensor<24x20xi8>) {
  ^bb0(%sum: i32, %bias: i32, %multiplier: i32, %shift: i8, %old: i8):
    %biased = arith.addi %sum, %bias : i32
    %scaled = tosa.apply_scale %biased, %multiplier, %shift {double_round = false} : (i32, i32, i8) -> i32
    %moved = arith.addi %scaled, %y_zero : i32
    %below = arith.cmpi slt, %moved, %lo : i32
    %raised = arith.select %below, %lo, %moved : i32
    %above = arith.cmpi slt, %hi, %moved : i32
    %cut = arith.select %above, %hi, %raised : i32
    %byte = arith.trunci %cut : i32 to i8
    linalg.yield %byte : i8
  } -> tensor<24x20xi8>
  return %y : tensor<24x20xi8>
}
